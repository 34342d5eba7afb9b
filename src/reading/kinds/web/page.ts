import { detail } from "../../../base/errors.ts"
import { decodeText } from "../../../outbound/charset.ts"
import type { Document, LeftOut } from "../../formats/document.ts"
import { type FileKind, fileLimits, kindOfFile } from "../../formats/file-kind.ts"
import { changeConditions, newVisit } from "../crawl/visits.ts"
import { isDocumentUrl } from "./document-links.ts"
import { robotName } from "./network.ts"
import { pagePath, pageUrl } from "./page-path.ts"
import { foreignHost, leftOut, type ReadFailure } from "./read-failure.ts"
import type { Site } from "./site.ts"
import type { FetchedFile } from "./site-fetcher.ts"

export interface ReadPage {
  outcome: "read"
  document: Document
  /** The address that the page names as its own, if it is another one of the site. */
  canonical?: URL
}

const accept =
  "text/html,application/xhtml+xml,text/markdown;q=0.9,application/pdf;q=0.8,text/plain;q=0.5,*/*;q=0.1"

/** Kinds of files that are read as a document of their own. */
const documentKinds = new Set<FileKind>(["pdf", "zip", "ole", "data"])

/** Pages that do nothing but send on, one after the other. */
const maxRefreshes = 3

/**
 * Reads one page, HTML or Markdown, where robots.txt and the page's own robots tags allow it. The document's path
 * comes from the requested address. Its url is where redirects ended, including redirects in the page.
 */
export async function fetchPage(
  url: URL,
  site: Site,
  signal: AbortSignal,
  { path = pagePath(url, site.start.host), refreshes = 0 } = {},
): Promise<ReadPage | ReadFailure> {
  const visit = await site.frontier?.visits.of(url.href)
  const request = {
    method: "GET",
    accept,
    // The documents that an unchanged page links to would be lost.
    ...(visit?.url !== undefined &&
      refreshes === 0 &&
      !site.linked && { conditions: changeConditions(visit) }),
    maxBytes: isDocumentUrl(url) ? fileLimits.documentBytes : site.limits.pageBytes,
    objection: site.robots.objection,
  } as const
  const fetched = await site.fetcher.request(url, request, signal)
  if (fetched.outcome !== "fetched") return fetched
  const isClosed = tagForbids(fetched.headers.get("x-robots-tag"), "noindex")
  if (isClosed && !site.frontier) return { outcome: "left_out", reason: "noindex" }
  site.frontier?.said.set(url.href, newVisit(fetched.headers, []))
  const place = { path, url: fetched.url.href }
  const type = fetched.headers.get("content-type") ?? ""
  const file = kindOfFile(fetched.bytes, { name: fetched.url.pathname, type })
  if (isClosed && (documentKinds.has(file) || textKind(fetched) !== "html"))
    return { outcome: "left_out", reason: "noindex" }
  if (documentKinds.has(file)) return asRead(await site.parser.file(fetched.bytes, { ...place, type }))
  const kind = textKind(fetched)
  if (kind === undefined || (isPlainText(fetched) && site.frontier && !site.wantsText))
    return notHtml(fetched)
  const text = decodeText(fetched.bytes, type)
  if (kind === "markdown") return asRead(await site.parser.markdown(text, place))
  const wanted = { ...place, ...(site.linked && { documents: true }), ...(site.frontier && { links: true }) }
  const { read, canonical, documents, links = [], excess } = await site.parser.html(text, wanted)
  if (documents) site.linked?.set(path, documents)
  if (excess) site.frontier?.leave(excess, detail("reading.tooManyLinks", { page: url.href }))
  const followed = tagForbids(fetched.headers.get("x-robots-tag"), "nofollow") ? [] : links
  site.frontier?.said.set(url.href, newVisit(fetched.headers, followed))
  if (isClosed) return { outcome: "left_out", reason: "noindex" }
  const next = "leftOut" in read && read.leadsTo !== undefined ? pageUrl(read.leadsTo) : undefined
  if (next && !site.fetcher.admits(next)) return foreignHost(next, 1)
  if (next && refreshes < maxRefreshes)
    return fetchPage(next, site, signal, { path, refreshes: refreshes + 1 })
  const own = canonical === undefined ? undefined : pageUrl(canonical)
  // A canonical address on another site names a copy that this project must not cite.
  return { ...asRead(read), ...(own && site.fetcher.admits(own) && { canonical: own }) }
}

export function asRead(read: Document | LeftOut): ReadPage | ReadFailure {
  return "leftOut" in read ? leftOut(read) : { outcome: "read", document: read }
}

export function isHtml(headers: Headers): boolean {
  return /^(?:text\/html|application\/xhtml\+xml)$/.test(mediaType(headers))
}

function textKind({ url, headers }: FetchedFile): "html" | "markdown" | undefined {
  if (isHtml(headers)) return "html"
  const type = mediaType(headers)
  if (type === "text/markdown" || type === "text/x-markdown") return "markdown"
  // Few servers know the type of Markdown.
  const isUnspecific = type === "" || type === "text/plain" || type === "application/octet-stream"
  return isUnspecific && /\.(?:mdx?|markdown|txt)$/i.test(url.pathname) ? "markdown" : undefined
}

/** Beside its pages, a site serves their sources and lists for programs as plain text. */
function isPlainText({ url, headers }: FetchedFile): boolean {
  return (
    /\.txt$/i.test(url.pathname) && /^(?:text\/plain|application\/octet-stream|)$/.test(mediaType(headers))
  )
}

function mediaType(headers: Headers): string {
  return (headers.get("content-type") ?? "").replace(/;.*/s, "").trim().toLowerCase()
}

function notHtml({ headers }: FetchedFile): ReadFailure {
  const type = headers.get("content-type") ?? detail("reading.noContentType")
  return { outcome: "left_out", reason: "not_html", detail: type }
}

/** Whether `X-Robots-Tag` forbids us to index: `noindex` or `guichet: noindex`, but not `otherbot: noindex`. */
export function forbidsIndexing(robotsTag: string | null): boolean {
  return tagForbids(robotsTag, "noindex")
}

function tagForbids(robotsTag: string | null, what: "noindex" | "nofollow"): boolean {
  let isForUs = true
  return (robotsTag ?? "").split(",").some((part) => {
    const [, name, rest] = /^\s*([\w-]+)\s*:(.*)$/.exec(part) ?? []
    // A directive with a value looks like a robot's name: `max-snippet: 20`.
    if (name !== undefined && !/^(?:unavailable_after|max-[\w-]+)$/i.test(name))
      isForUs = name.toLowerCase() === robotName
    const directive = (rest ?? part).trim().toLowerCase()
    return isForUs && (directive === what || directive === "none")
  })
}
