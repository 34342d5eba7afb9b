import { detail } from "../../../base/errors.ts"
import { gunzipAtMost } from "../../../outbound/body.ts"
import type { FeedReader, PageReading, ReadBefore } from "../../feed.ts"
import type { Parser } from "../../parser.ts"
import { collectLists, type PageList } from "../web/collect-lists.ts"
import type { Network } from "../web/network.ts"
import { fetchPage } from "../web/page.ts"
import { type ReadFailure, tooLarge, unreadable } from "../web/read-failure.ts"
import { readPages } from "../web/read-pages.ts"
import { openSite, type Site } from "../web/site.ts"

/**
 * Reads the pages of a sitemap and of the sitemaps it lists. Pages outside the sitemap's own origin and the
 * given ones are left out.
 */
export function sitemapReader(origins: readonly string[], network: Network, parser: Parser): FeedReader {
  return async function* read(feed, signal, before) {
    const site = openSite(feed, origins, network, parser)
    yield* readListed([site.start], (url) => readSitemap(url, site, signal), site, signal, before)
  }
}

/**
 * Reads the pages of a site by the sitemaps that its robots.txt names, else by the first one that stands where sites
 * usually have it. Throws Refusal that says where was looked.
 */
export function siteReader(origins: readonly string[], network: Network, parser: Parser): FeedReader {
  return async function* read(feed, signal, before) {
    const site = openSite(feed, origins, network, parser)
    const named = await site.robots.sitemaps(site.start, signal)
    if ("outcome" in named) throw unreadable(feed.address, named)
    const usual = usualPlaces(site.start)
    const opened = (await firstList(named, site, signal)) ?? (await firstList(usual, site, signal))
    if (!opened) {
      const places = [
        ...named.slice(0, maxToldLists).map(({ href }) => href),
        ...usual.map(({ pathname }) => pathname),
      ].join(", ")
      throw unreadable(feed.address, detail("reading.noSitemap", { places }))
    }
    const lists = named.includes(opened.url) ? named : [opened.url]
    const readOne = async (url: URL) => (url === opened.url ? opened.list : readSitemap(url, site, signal))
    yield* readListed(lists, readOne, site, signal, before)
  }
}

/** Named lists that a refusal repeats. */
const maxToldLists = 3

/** The address itself where it looks like a list; else those of generators, most sites, plugins and WordPress. */
function usualPlaces(start: URL): URL[] {
  const own = /\.(?:xml|txt|gz)$/.test(start.pathname) ? [start.href] : []
  const names = [...own, "sitemap.xml", "/sitemap.xml", "/sitemap_index.xml", "/wp-sitemap.xml"]
  const places = new Set(names.map((name) => new URL(name, start).href))
  return [...places].map((href) => new URL(href))
}

async function firstList(
  urls: readonly URL[],
  site: Site,
  signal: AbortSignal,
): Promise<{ url: URL; list: PageList } | undefined> {
  for (const url of urls) {
    const list = await readSitemap(url, site, signal)
    if (!("outcome" in list)) return { url, list }
  }
  return undefined
}

async function* readListed(
  lists: readonly URL[],
  readOne: (url: URL) => Promise<PageList | ReadFailure>,
  site: Site,
  signal: AbortSignal,
  before: ReadBefore | undefined,
): AsyncGenerator<PageReading> {
  const { pages, problems } = await collectLists(site, lists, readOne)
  yield* problems
  const fetch = (url: URL, signal: AbortSignal) => fetchPage(url, site, signal)
  yield* readPages(pages, site, fetch, signal, before)
}

const accept = "application/xml,text/xml,text/plain;q=0.9,*/*;q=0.5"

/** Ignores robots.txt: a sitemap exists for robots, and the project names this one. */
async function readSitemap(
  url: URL,
  { fetcher, parser, limits: { listBytes } }: Site,
  signal: AbortSignal,
): Promise<PageList | ReadFailure> {
  const opened = await fetcher.request(url, { method: "GET", accept, maxBytes: listBytes }, signal)
  if (opened.outcome !== "fetched") return opened
  const bytes = await unzipped(opened.bytes, listBytes)
  if ("outcome" in bytes) return bytes
  const file = await parser.sitemap(bytes)
  if ("wrong" in file) return { outcome: "failed", detail: file.wrong }
  const { of, addresses, tooLong } = file
  return { pages: of === "pages" ? addresses : [], lists: of === "sitemaps" ? addresses : [], tooLong }
}

/** Unpacks a `.gz` sitemap, which is recognised by its first bytes, not by its name. */
async function unzipped(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array | ReadFailure> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return (await gunzipAtMost(bytes, maxBytes)) ?? tooLarge(maxBytes)
  } catch (error) {
    const { message } = error as Error
    return { outcome: "failed", detail: detail("reading.brokenGzip", { error: message }) }
  }
}
