import { realpath, stat } from "node:fs/promises"
import { Refusal } from "../../errors.ts"
import type { Document, LeftOut } from "../documents/document.ts"
import { readHtml } from "../documents/html.ts"
import { readMarkdown } from "../documents/markdown.ts"
import { sentences } from "../sentences.ts"
import type { Feed, FeedReader, PageReading } from "./feed.ts"
import { fileUrl } from "./file-url.ts"
import { type FoundFile, pageFiles } from "./files.ts"
import { type Generator, generatorOf } from "./generator.ts"
import { readText } from "./text.ts"

type DirFeed = Extract<Feed, { kind: "dir" }>

/**
 * Every page of a folder of Markdown, where HTML is what a generator needs or made: it is left out and said to be. A folder without any
 * Markdown is taken for a built site and read as HTML. Holds one page at a time.
 * Throws Refusal when the folder cannot be read or holds no page at all.
 */
export const readDir: FeedReader = async function* (feed, signal) {
  if (feed.kind !== "dir") throw new Error(`not a folder: ${feed.kind}`)
  const folder = await openFolder(feed.address)
  const generator = generatorOf(folder)
  let pages = 0
  for await (const file of pageFiles(folder, markdownExtensions)) {
    signal.throwIfAborted()
    pages += 1
    yield "path" in file ? await readPage(file, feed, generator) : file
  }
  const isMarkdown = pages > 0
  for await (const file of pageFiles(folder, htmlExtensions)) {
    signal.throwIfAborted()
    pages += 1
    if (!isMarkdown) yield "path" in file ? await readPage(file, feed, generator) : file
    else if ("path" in file) yield { page: file.page, outcome: "left_out", reason: "not_markdown" }
  }
  if (pages > 0) return
  throw new Refusal("invalid_request", sentences.emptyFolder, {
    reason: `no page in ${feed.address}: expected .md, .mdx, .markdown or .html files`,
  })
}

const markdownExtensions = [".md", ".mdx", ".markdown"]
const htmlExtensions = [".html", ".htm"]

async function openFolder(address: string): Promise<string> {
  try {
    const folder = await realpath(address)
    if ((await stat(folder)).isDirectory()) return folder
  } catch (cause) {
    throw new Refusal("invalid_request", sentences.unreadableFolder, {
      reason: `${address}: ${(cause as Error).message}`,
      cause,
    })
  }
  throw new Refusal("invalid_request", sentences.unreadableFolder, { reason: `${address} is not a folder` })
}

async function readPage(file: FoundFile, feed: DirFeed, generator: Generator): Promise<PageReading> {
  const { page } = file
  try {
    const text = await readText(file.file)
    const read = typeof text === "string" ? readDocument(text, file, feed, generator) : text
    if (!("leftOut" in read)) return { page, outcome: "read", document: read }
    const { leftOut, detail } = read
    return { page, outcome: "left_out", reason: leftOut, ...(detail && { detail }) }
  } catch (error) {
    return { page, outcome: "failed", detail: (error as Error).message }
  }
}

function readDocument(
  text: string,
  { page, path }: FoundFile,
  feed: DirFeed,
  generator: Generator,
): Document | LeftOut {
  const { anchors, dropsNumbers } = generator
  const url = fileUrl(path, feed.baseUrl, feed.urlStyle, dropsNumbers)
  const isHtml = htmlExtensions.some((extension) => page.toLowerCase().endsWith(extension))
  return isHtml
    ? readHtml(text, { path, url })
    : readMarkdown(text, { path, url, anchors, baseUrl: feed.baseUrl })
}
