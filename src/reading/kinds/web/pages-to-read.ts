import { printedPage } from "../crawl/traps.ts"
import type { ReadBefore } from "../page-reading.ts"
import { pagePath } from "./page-path.ts"
import type { Site } from "./site.ts"

/** The pages of one reading by their paths, in the order in which they are read; links add to them. */
export interface PagesToRead extends Iterable<[path: string, url: URL]> {
  isListed(path: string): boolean
  /** Paths of listed pages that are not read again. */
  notRead: string[]
  /** Adds the pages that links of a page lead to, or the address that it gives itself. */
  follow(from: URL, links: readonly string[], isOwn?: boolean): void
  /** A page waits for this one, if it is to be read at all: it comes before the others. */
  hurry(path: string): void
  /** The page that was given with this path has been tried, and what it leads to is known. */
  ended(path: string): void
  /** A page was read at this path. */
  standsAt(path: string, page: string): void
  /** The page that stands for where an address led. */
  ownerOf(address: URL, path: string, page: string): string
}

export function openPagesToRead(listed: Map<string, URL>, site: Site, before: ReadBefore): PagesToRead {
  const { frontier, start, unwanted } = site
  /** The address under which each path is listed or was read. */
  const pageOf = new Map([...listed].map(([path, url]) => [path, url.href]))
  for (const [page, documentUrl] of before)
    if (documentUrl !== undefined) pageOf.set(pagePath(new URL(documentUrl), start.host), page)
  const remaining = new Map([...listed].filter(([, url]) => frontier || !before.has(url.href)))
  const urgent: string[] = []
  /** Pages for printing, and those that repeated others: whether they only do that is known once these are read. */
  const later = new Map<string, URL>()
  /** Other pages that are being read. */
  const underWay = new Set<string>()

  return {
    isListed: (path) => listed.has(path),
    notRead: [...listed.keys()].filter((path) => !remaining.has(path)),
    follow(from, links, isOwn) {
      for (const url of frontier?.follow(from, links, isOwn) ?? []) {
        const path = pagePath(url, start.host)
        if (listed.has(path) || unwanted(url)) continue
        listed.set(path, url)
        if (!pageOf.has(path)) pageOf.set(path, url.href)
        const mayRepeat = printedPage(url) || frontier?.visits.repeating.has(url.href)
        ;(mayRepeat ? later : remaining).set(path, url)
        if (frontier?.visits.lately.has(url.href)) urgent.push(path)
      }
    },
    hurry: (path) => urgent.push(path),
    ended: (path) => underWay.delete(path),
    standsAt: (path, page) => pageOf.set(path, page),
    ownerOf(address, path, page) {
      const own = pagePath(address, start.host)
      return own === path ? page : (pageOf.get(own) ?? page)
    },
    // No generator: that would have ended for good before the links of the last pages are known.
    [Symbol.iterator]: () => ({ next }),
  }

  function next(): IteratorResult<[string, URL], undefined> {
    if (remaining.size === 0 && underWay.size > 0) return { done: true, value: undefined }
    const wanted = urgent.shift()
    const waiting = remaining.size > 0 ? remaining : later
    const path = wanted !== undefined && waiting.has(wanted) ? wanted : waiting.keys().next().value
    const url = path === undefined ? undefined : waiting.get(path)
    if (path === undefined || !url) return { done: true, value: undefined }
    waiting.delete(path)
    if (waiting === remaining) underWay.add(path)
    return { done: false, value: [path, url] }
  }
}
