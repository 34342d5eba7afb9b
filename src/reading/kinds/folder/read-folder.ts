import { existsSync } from "node:fs"
import { realpath, stat } from "node:fs/promises"
import { join } from "node:path"
import { detail, Refusal } from "../../../base/errors.ts"
import { type FoundFile, pageFiles } from "../../files/files.ts"
import { readBytes, readText } from "../../files/text.ts"
import type { Document, LeftOut } from "../../formats/document.ts"
import { fileLimits } from "../../formats/file-kind.ts"
import { type FileLinks, fileOfLink } from "../../formats/markdown/file-links.ts"
import type { Publication } from "../../formats/markdown/publication.ts"
import { referencedFiles } from "../../formats/openapi/references.ts"
import { namesOfFile, type PageFilter, pageFilter } from "../../page-patterns.ts"
import type { Parser } from "../../parser.ts"
import type { PublishedFeed } from "../kind.ts"
import type { PageReading, ReadBefore } from "../page-reading.ts"
import { openSite, type Site } from "./site.ts"

interface OpenedFolder {
  /** The real path, without symbolic links. */
  path: string
  site: Site
  filter: PageFilter
  publication: Publication | undefined
  /** The addresses of the pages so far: the second file of one page is left out. */
  taken: Set<string>
}

interface FolderReading {
  /** Where the files are; people know the folder by the address of its feed. */
  path: string
  feed: PublishedFeed
  parser: Parser
  nowMs: number
}

/**
 * Reads every page of a folder of Markdown, and the documents beside them. Its HTML files are a generator's
 * templates or output and are left out. A folder without Markdown is taken for a built site and read as HTML. Holds
 * one page in memory at a time. Throws Refusal when the folder cannot be read or has no page.
 */
export async function* readFolder(
  reading: FolderReading,
  signal: AbortSignal,
  before?: ReadBefore,
): AsyncGenerator<PageReading> {
  const { feed, parser } = reading
  const folder = await openFolder(reading)
  let pages = 0
  for await (const file of pageFiles(folder.path, markdownExtensions)) {
    signal.throwIfAborted()
    pages += 1
    if (before?.has(file.page)) folder.taken.add(before.get(file.page) ?? "")
    else yield "path" in file ? await readPage(file, folder, parser) : file
  }
  const isMarkdown = pages > 0
  for await (const file of pageFiles(folder.path, htmlExtensions)) {
    signal.throwIfAborted()
    pages += 1
    if (before?.has(file.page)) folder.taken.add(before.get(file.page) ?? "")
    else if (!isMarkdown) yield "path" in file ? await readPage(file, folder, parser) : file
    else if ("path" in file) yield { page: file.page, outcome: "left_out", reason: "not_markdown" }
  }
  for await (const file of pageFiles(folder.path, documentEndings)) {
    signal.throwIfAborted()
    if (!isDocument(file.page)) continue
    pages += 1
    if (!before?.has(file.page)) yield "path" in file ? await readPage(file, folder, parser) : file
  }
  if (pages > 0) yield* otherDocuments(folder.path)
  if (pages > 0) return
  throw new Refusal("invalid_request", detail("assistant.emptyFolder"), {
    reason: detail("reading.emptyFolder", { folder: feed.address }),
  })
}

const markdownExtensions = [".md", ".mdx", ".markdown"]
const htmlExtensions = [".html", ".htm"]
/** Documents that a site serves as they are; data describe an interface only under the usual names. */
const documentEndings = [
  ...[".pdf", ".docx", ".odt"],
  ...["openapi", "swagger"].flatMap((name) => [".json", ".yaml", ".yml"].map((end) => name + end)),
]

/** Documents that no reader reads. */
const otherEndings = [
  ...[".rst", ".adoc", ".asciidoc", ".org", ".textile", ".tex", ".txt", ".rtf", ".ipynb", ".epub"],
  ...[".doc", ".ppt", ".pptx", ".odp", ".xls", ".xlsx", ".ods", ".pages", ".numbers"],
]

/** The first file of each ending that no reader reads, with their number. */
async function* otherDocuments(folder: string): AsyncGenerator<PageReading> {
  const byEnding = new Map<string, { page: string; count: number }>()
  for await (const { page } of pageFiles(folder, otherEndings)) {
    const ending = /\.[a-z]+$/i.exec(page)?.[0].toLowerCase() ?? ""
    const first = byEnding.get(ending)?.page ?? page
    if (otherEndings.includes(ending))
      byEnding.set(ending, { page: first, count: (byEnding.get(ending)?.count ?? 0) + 1 })
  }
  for (const [ending, { page, count }] of byEnding)
    yield {
      page,
      outcome: "left_out",
      reason: "not_html",
      detail: detail("reading.otherFiles", { count, ending }),
    }
}

async function openFolder({ path: place, feed, parser, nowMs }: FolderReading): Promise<OpenedFolder> {
  const { address } = feed
  try {
    const path = await realpath(place)
    if ((await stat(path)).isDirectory()) {
      const site = await openSite(path, feed, parser)
      const publication = site.rules.publication && { ...site.rules.publication, nowMs }
      return { path, site, filter: pageFilter(feed), publication, taken: new Set() }
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
  const { page } = file
  if (isDocument(page)) {
    const bytes = await readBytes(file.file, folder.path, fileLimits.documentBytes)
    if ("leftOut" in bytes) return bytes
    const files = await referencedFiles(page, bytes, async (path) => {
      const other = await readBytes(join(folder.path, path), folder.path, fileLimits.textBytes).catch(
        () => undefined,
      )
      return other && !("leftOut" in other) ? other : undefined
    })
    return parser.file(bytes, { path: page, url: folder.site.documentUrl(page), name: page, files })
  }
  const text = await readText(file.file, folder.path)
  return typeof text === "string" ? readDocument(text, file, folder, parser) : text
}

async function readDocument(
  text: string,
  { page, path }: FoundFile,
  { path: folder, site, publication, taken }: OpenedFolder,
  parser: Parser,
): Promise<Document | LeftOut> {
  const url = await site.addressOf(page, text)
  if (typeof url !== "string") return url
  if (taken.has(url)) return { leftOut: "duplicate", detail: detail("reading.otherFileRead") }
  taken.add(url)
  if (isHtml(page)) return (await parser.html(text, { path, url })).read
  const { generator, rules } = site
  const whole = await site.wholeText(page, text)
  const links = await filesLinkedFrom(
    whole,
    path,
    async (file) => {
      const found = await site.addressOf(file).catch(() => undefined)
      return typeof found === "string" ? found : undefined
    },
    folder,
  )
  return parser.markdown(whole, {
    path,
    url,
    links,
    generator,
    anchors: rules.anchors,
    publication,
    inherited: await site.inheritedBy(page, text),
  })
}

function isDocument(page: string): boolean {
  return documentEndings.some((ending) => page.toLowerCase().endsWith(ending))
}

function isHtml(page: string): boolean {
  return htmlExtensions.some((extension) => page.toLowerCase().endsWith(extension))
}

/** Links to other files that are followed from one page; the rest lead where a browser would go. */
const maxLinks = 2000

/** The addresses of the pages of the folder that a page's text links to as files, by their paths without extension. */
async function filesLinkedFrom(
  text: string,
  path: string,
  addressOf: (page: string) => Promise<string | undefined>,
  folder: string,
): Promise<FileLinks> {
  const links: FileLinks = {}
  let left = maxLinks
  for (const [, found = ""] of text.matchAll(
    /(?:\]\(|\]:[ \t]*|href=["'])<?([^\s()<>"'[\]]*\.(?:mdx?|markdown))/gi,
  )) {
    const target = fileOfLink(found, path)
    if (target === undefined || target in links || --left < 0) continue
    const file = [".md", ".mdx", ".markdown"]
      .map((end) => target + end)
      .find((file) => existsSync(join(folder, file)))
    const url = file === undefined ? undefined : await addressOf(file)
    if (url !== undefined) links[target] = url
  }
  return links
}
