import { detail } from "../../base/errors.ts"
import { decodeText } from "../../outbound/charset.ts"
import type { Parser } from "../parser.ts"
import { feedKind, pagesOfSite } from "./kind.ts"
import type { PageReading, ReadBefore } from "./page-reading.ts"
import { collectLists, type PageList } from "./web/collect-lists.ts"
import { asRead, fetchPage, isHtml, type ReadPage } from "./web/page.ts"
import { pagePath, pageUrl } from "./web/page-path.ts"
import { asReading, foreignHost, type ReadFailure, unreadable } from "./web/read-failure.ts"
import { readPages } from "./web/read-pages.ts"
import { openSite, type Site } from "./web/site.ts"

/**
 * The pages that an `llms.txt` links to, Markdown or HTML, and those of the `llms.txt` files it links to in their
 * turn. An `llms-full.txt`, or a text that links to nothing, is read as the documentation itself.
 */
export const llms = feedKind({
  ...pagesOfSite,
  async *read(feed, tools, { signal, before, onListed }) {
    const site = openSite(feed, tools, onListed)
    const { parser } = tools
    const text = await fetchText(site.start, site, signal)
    if (typeof text !== "string") throw unreadable(feed.address, text)
    if (/\/llms-[\w-]+\.txt$/i.test(site.start.pathname) || (await linksNothing(text, parser))) {
      yield* readFullText(text, site, signal, before)
      return
    }
    const { pages, problems } = await collectLists(site, [site.start], async (url) =>
      listing(url, url === site.start ? text : await fetchText(url, site, signal), parser),
    )
    yield* problems
    const fetch = (url: URL, signal: AbortSignal) => fetchForVisitors(url, site, signal)
    yield* readPages(pages, site, fetch, signal, before)
  },
})

async function linksNothing(text: string, parser: Parser): Promise<boolean> {
  const links = await parser.links(text)
  return "addresses" in links && links.addresses.length + links.tooLong === 0
}

/** Ignores robots.txt, because the project names this file. */
async function fetchText(
  url: URL,
  { fetcher, limits }: Site,
  signal: AbortSignal,
): Promise<string | ReadFailure> {
  const accept = "text/markdown,text/plain;q=0.9"
  const reply = await fetcher.request(url, { method: "GET", accept, maxBytes: limits.listBytes }, signal)
  if (reply.outcome !== "fetched") return reply
  if (isHtml(reply.headers)) return { outcome: "failed", detail: detail("reading.htmlNotText") }
  return decodeText(reply.bytes, reply.headers.get("content-type") ?? "")
}

/** Skips links to other editions of the same text, such as `llms-full.txt`: they repeat the pages. */
async function listing(
  url: URL,
  text: string | ReadFailure,
  parser: Parser,
): Promise<PageList | ReadFailure> {
  if (typeof text !== "string") return text
  const reply = await parser.links(text)
  if ("wrong" in reply) return { outcome: "failed", detail: reply.wrong }
  const { addresses, tooLong } = reply
  const links = addresses.flatMap((link) => pageUrl(link, url.href)?.href ?? [])
  if (links.length + tooLong === 0) return { pages: [url.href], lists: [], tooLong }
  return {
    tooLong,
    pages: links.filter((link) => !/\/llms[\w-]*\.txt$/i.test(link)),
    lists: links.filter((link) => /\/llms\.txt$/i.test(link)),
  }
}

async function fetchForVisitors(url: URL, site: Site, signal: AbortSignal): Promise<ReadPage | ReadFailure> {
  for (const page of pagesOfSource(url)) {
    const reply = await fetchPage(page, site, signal)
    if (reply.outcome === "read") return reply
  }
  const reply = await fetchPage(url, site, signal)
  return reply.outcome === "read" ? forVisitors(reply, site, signal) : reply
}

async function forVisitors({ document }: ReadPage, site: Site, signal: AbortSignal): Promise<ReadPage> {
  const url = await visitorUrl(new URL(document.url), site, signal)
  return { outcome: "read", document: { ...document, url: url.href } }
}

async function* readFullText(
  text: string,
  site: Site,
  signal: AbortSignal,
  before: ReadBefore | undefined,
): AsyncGenerator<PageReading> {
  const { start, fetcher, parser, unwanted } = site
  const parts = await parser.parts(text)
  if ("wrong" in parts) throw unreadable(start.href, parts.wrong)
  if (parts.length === 0) throw unreadable(start.href, detail("reading.emptyText"))
  // A page may come in several parts, each with its own anchor.
  const texts = new Map<string, string[]>()
  for (const { text, url } of parts) {
    const { href } = (url && pageUrl(url, start.href)) || start
    const own = texts.get(href)
    if (own) own.push(text)
    else texts.set(href, [text])
  }
  for (const [href, text] of texts) {
    const url = new URL(href)
    if (before?.has(href)) continue
    const place = { path: pagePath(url, start.host), url: url.href }
    const leftOut = fetcher.admits(url) ? unwanted(url) : foreignHost(url)
    const read = leftOut ?? asRead(await parser.markdown(text.join("\n\n"), place))
    yield read.outcome === "read"
      ? { page: url.href, ...(await forVisitors(read, site, signal)) }
      : asReading(url.href, read)
  }
}

/**
 * The HTML page that was made of a Markdown file: `/guide/install` or `/guide/install.html` beside
 * `/guide/install.md`. Visitors who follow a source want to see that page. Without one, the file itself.
 */
async function visitorUrl(markdown: URL, site: Site, signal: AbortSignal): Promise<URL> {
  const path = pagePath(markdown, site.start.host)
  for (const candidate of candidates(markdown)) {
    const request = {
      method: "HEAD",
      accept: "text/html",
      maxBytes: 0,
      objection: site.robots.objection,
    } as const
    const reply = await site.fetcher.request(candidate, request, signal)
    const isPage = reply.outcome === "fetched" && isHtml(reply.headers)
    if (isPage && pagePath(reply.url, site.start.host) === path) return reply.url
  }
  return markdown
}

/** The page that Sphinx made of a source it shows, `/_sources/guide.rst.txt`: sphinx-llms-txt lists the sources. */
function pagesOfSource(source: URL): URL[] {
  const [file = "", ...folders] = source.pathname.split("/_sources/").reverse()
  const name = file.replace(/\.\w{2,5}\.txt$/, "")
  if (folders.length === 0 || name === file) return []
  const root = folders.reverse().join("/_sources/")
  const folder = `${name}/`.replace(/(?<![^/])index\/$/, "")
  return [`${root}/${name}.html`, `${root}/${folder}`].map((path) => atPath(path, source))
}

function candidates(markdown: URL): URL[] {
  const [, bare] = /^(.*)\.(?:mdx?|markdown)$/i.exec(markdown.pathname) ?? []
  if (bare === undefined) return []
  if (/\/index$/i.test(bare)) return [atPath(bare.replace(/index$/i, ""), markdown)]
  const paths = /\.html?$/i.test(bare) ? [bare] : [bare, `${bare}.html`]
  return paths.map((path) => atPath(path, markdown))
}

/** A path may begin with two slashes, which would be a host for the parser of addresses. */
function atPath(path: string, { origin }: URL): URL {
  const url = new URL(origin)
  url.pathname = path
  return url
}
