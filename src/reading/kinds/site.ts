import { detail } from "../../base/errors.ts"
import { feedKind, pagesOfSite } from "./kind.ts"
import { readListed, readSitemap } from "./lists/read-sitemaps.ts"
import type { PageList } from "./web/collect-lists.ts"
import { unreadable } from "./web/read-failure.ts"
import { openSite, type Site } from "./web/site.ts"

/**
 * The pages of a site by the sitemaps that its robots.txt names, else by the first one that stands where sites
 * usually have it. A reading throws Refusal that says where was looked.
 */
export const site = feedKind({
  ...pagesOfSite,
  async *read(feed, tools, { signal, before, onListed }) {
    const site = openSite(feed, tools, onListed)
    const announced = await site.robots.sitemaps(site.start, signal)
    if ("outcome" in announced) throw unreadable(feed.address, announced)
    const { lists: named, leftOut } = announced
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
    yield* leftOut
    const readOne = async (url: URL) => (url === opened.url ? opened.list : readSitemap(url, site, signal))
    yield* readListed(lists, readOne, site, signal, before)
  },
})

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
