import { realpath, stat } from "node:fs/promises"
import { type Clock, systemClock } from "../../../base/clock.ts"
import { detail, Refusal } from "../../../base/errors.ts"
import type { Document, LeftOut } from "../../documents/document.ts"
import { fileUrl } from "../../documents/markdown/page-url.ts"
import type { Publication } from "../../documents/markdown/publication.ts"
import type { Feed, FeedReader, PageReading } from "../feed.ts"
import { namesOfFile, type PageFilter, pageFilter } from "../page-patterns.ts"
import type { Parser } from "../parser.ts"
import { type FoundFile, pageFiles } from "./files.ts"
import { type Site, siteOf } from "./generator.ts"
import { type GravPages, gravPages } from "./grav-pages.ts"
import { publicationOf } from "./publication.ts"
import { readText } from "./text.ts"

type DirFeed = Extract<Feed, { kind: "dir" }>

interface OpenedFolder {
  /** The real path, without symbolic links. */
  path: string
  feed: DirFeed
  site: Site
  grav: GravPages | undefined
  filter: PageFilter
  publication: Publication | undefined
}

/**
 * Reads every page of a folder of Markdown. Its HTML files are a generator's templates or output and are left
 * out. A folder without Markdown is taken for a built site and read as HTML. Holds one page in memory at a
 * time. Throws Refusal when the folder cannot be read or has no page.
 */
export function dirReader(parser: Parser, clock: Clock = systemClock): FeedReader {
  return async function* read(feed, signal, before) {
    const folder = await openFolder(feed, parser, clock.now())
    let pages = 0
    for await (const file of pageFiles(folder.path, markdownExtensions)) {
      signal.throwIfAborted()
      pages += 1
      // In Grav, the addresses of the pages below depend on each page.
      if (before?.has(file.page) && !folder.grav) continue
      yield "path" in file ? await readPage(file, folder, parser) : file
    }
    const isMarkdown = pages > 0
    for await (const file of pageFiles(folder.path, htmlExtensions)) {
      signal.throwIfAborted()
      pages += 1
      if (before?.has(file.page)) continue
      if (!isMarkdown) yield "path" in file ? await readPage(file, folder, parser) : file
      else if ("path" in file) yield { page: file.page, outcome: "left_out", reason: "not_markdown" }
    }
    if (pages > 0) return
    throw new Refusal("invalid_request", detail("assistant.emptyFolder"), {
      reason: detail("reading.emptyFolder", { folder: feed.address }),
    })
  }
}

const markdownExtensions = [".md", ".mdx", ".markdown"]
const htmlExtensions = [".html", ".htm"]

async function openFolder(feed: Feed, parser: Parser, nowMs: number): Promise<OpenedFolder> {
  if (feed.kind !== "dir") throw new Error(`not a folder: ${feed.kind}`)
  const { address } = feed
  try {
    const path = await realpath(address)
    if ((await stat(path)).isDirectory()) {
      const site = await siteOf(path, feed.generator)
      const { baseUrl } = feed
      const grav = site.grav && gravPages({ parser, baseUrl, settings: site.grav })
      const publication = await publicationOf(path, nowMs)
      return { path, feed, site, grav, filter: pageFilter(feed), publication }
    }
  } catch (cause) {
    throw new Refusal("invalid_request", detail("assistant.unreadableFolder"), {
      reason: `${address}: ${(cause as Error).message}`,
      cause,
    })
  }
  throw new Refusal("invalid_request", detail("assistant.unreadableFolder"), {
    reason: detail("reading.notAFolder", { folder: address }),
  })
}

async function readPage(file: FoundFile, folder: OpenedFolder, parser: Parser): Promise<PageReading> {
  const { page } = file
  try {
    const read = folder.filter(namesOfFile(page)) ?? (await readFile(file, folder, parser))
    if (!("leftOut" in read)) return { page, outcome: "read", document: read }
    const { leftOut, detail } = read
    return { page, outcome: "left_out", reason: leftOut, ...(detail && { detail }) }
  } catch (error) {
    return { page, outcome: "failed", detail: (error as Error).message }
  }
}

async function readFile(file: FoundFile, folder: OpenedFolder, parser: Parser): Promise<Document | LeftOut> {
  const text = await readText(file.file, folder.path)
  return typeof text === "string" ? readDocument(text, file, folder, parser) : text
}

async function readDocument(
  text: string,
  { page, path, file }: FoundFile,
  { feed: { baseUrl, urlStyle }, site, grav, publication }: OpenedFolder,
  parser: Parser,
): Promise<Document | LeftOut> {
  const { generator, root, listed } = site
  const isHtml = htmlExtensions.some((extension) => page.toLowerCase().endsWith(extension))
  if (!isHtml && !page.startsWith(root)) return { leftOut: "empty", detail: detail("reading.outsidePages") }
  const shown = path.slice(isHtml ? 0 : root.length)
  if (!isHtml && listed?.has(page.slice(root.length)) === false)
    return { leftOut: "empty", detail: detail("reading.notInContents") }
  const style = urlStyle === "auto" ? site.urlStyle : urlStyle
  if (isHtml) return (await parser.html(text, { path, url: fileUrl(path, baseUrl, style, undefined) })).read
  const url = grav
    ? await grav.urlOf({ page, path: shown, file }, text)
    : fileUrl(shown, baseUrl, style, generator)
  if (typeof url !== "string") return url
  const hasToc = site.grav?.hasToc ?? false
  return parser.markdown(text, { path, url, baseUrl, urlStyle: style, generator, hasToc, publication })
}
