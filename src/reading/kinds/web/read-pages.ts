import { detail } from "../../../base/errors.ts"
import type { PageReading, ReadBefore } from "../../feed.ts"
import { canonicalClaims, type SettledClaim } from "./canonical-claims.ts"
import { concurrently } from "./concurrently.ts"
import { linkedDocuments } from "./linked-documents.ts"
import type { ReadPage } from "./page.ts"
import { pagePath, pageUrl } from "./page-path.ts"
import { asReading, foreignHost, type ReadFailure } from "./read-failure.ts"
import type { Site } from "./site.ts"

/**
 * Reads each page once, several at a time. Addresses with the same path are the same page, and so is an
 * address that turns out to lead to a page that was read or is listed itself, or that has the canonical address and
 * the text of another. One of them is read, the others are left out. Pages of `before` are not read again.
 */
export async function* readPages(
  addresses: Iterable<string>,
  site: Site,
  fetchPage: (url: URL, signal: AbortSignal) => Promise<ReadPage | ReadFailure>,
  signal: AbortSignal,
  before: ReadBefore = new Map(),
): AsyncGenerator<PageReading> {
  const { listed, leftOut } = sortOut(addresses, site)
  yield* leftOut
  /** The address under which each path is listed, by path. */
  const pageOf = new Map([...listed].map(([path, url]) => [path, url.href]))
  for (const [page, documentUrl] of before)
    if (documentUrl !== undefined) pageOf.set(pagePath(new URL(documentUrl), site.start.host), page)
  const remaining = new Map([...listed].filter(([, url]) => site.frontier || !before.has(url.href)))
  const claims = canonicalClaims([...listed.keys()].filter((path) => !remaining.has(path)))
  /** Paths that a page waits for. */
  const urgent: string[] = []

  /** The pages still to read, which links add to; pages that another one waits for come first. */
  const inTurn: Iterator<[string, URL]> = {
    next() {
      const next = first(remaining)
      if (!next) return { done: true, value: undefined }
      const wanted = urgent.shift()
      const path = wanted !== undefined && remaining.has(wanted) ? wanted : next[0]
      const url = remaining.get(path) as URL
      remaining.delete(path)
      return { done: false, value: [path, url] }
    },
  }

  function follow(from: URL, links: readonly string[]): void {
    for (const url of site.frontier?.follow(from, links) ?? []) {
      const path = pagePath(url, site.start.host)
      if (listed.has(path) || site.unwanted(url)) continue
      listed.set(path, url)
      if (!pageOf.has(path)) pageOf.set(path, url.href)
      remaining.set(path, url)
      if (site.frontier?.visits.lately.has(url.href)) urgent.push(path)
    }
  }

  async function read([path, url]: [string, URL], signal: AbortSignal): Promise<PageReading[]> {
    const readings = await readOne(path, url, signal)
    return [...(site.frontier?.problems() ?? []), ...readings]
  }

  async function readOne(path: string, url: URL, signal: AbortSignal): Promise<PageReading[]> {
    const page = url.href
    const visit = await site.frontier?.visits.of(page)
    if (before.has(page)) {
      follow(url, visit?.links ?? [])
      return settled(claims.read(path, page, undefined))
    }
    const reply = await fetchPage(url, signal).catch((error: Error) => {
      site.giveWay?.throwIfAborted()
      return failed(error, signal)
    })
    // A page that cannot be read this time leads where it led before.
    follow(url, site.frontier?.said.get(page)?.links ?? visit?.links ?? [])
    const standsFor =
      reply.outcome === "unchanged" && visit?.url ? ownerOf(new URL(visit.url), path, page) : page
    if (standsFor !== page) return [duplicate(page, standsFor)]
    if (reply.outcome !== "read")
      return [asReading(page, reply), ...settled(claims.read(path, page, undefined))]
    const { document, canonical = new URL(document.url) } = reply
    const own = pagePath(new URL(document.url), site.start.host)
    follow(url, [canonical.href])
    const named = pagePath(canonical, site.start.host)
    const settledEarlier = settled([...new Set([own, path])].flatMap((at) => claims.read(at, page, document)))
    const owner = ownerOf(new URL(document.url), path, page)
    const unwanted = site.unwanted(new URL(document.url))
    if (unwanted) return [asReading(page, unwanted), ...settledEarlier]
    if (owner !== page) return [duplicate(page, owner), ...settledEarlier]
    pageOf.set(own, page)
    if (named === own || named === path)
      return [{ page, outcome: "read", document: { ...document, url: canonical.href } }, ...settledEarlier]
    urgent.push(named)
    return [
      ...settledEarlier,
      ...settled(claims.claim(named, { page, document, canonical }, listed.has(named))),
    ]
  }

  /** The page that stands for where an address led. */
  function ownerOf(led: URL, path: string, page: string): string {
    const own = pagePath(led, site.start.host)
    return own === path ? page : (pageOf.get(own) ?? page)
  }

  /** With what the page said of itself. */
  function visited(reading: PageReading): PageReading {
    const visit = site.frontier?.said.get(reading.page)
    site.frontier?.said.delete(reading.page)
    const isKept = reading.outcome === "read" || reading.outcome === "left_out"
    return visit && isKept ? { ...reading, visit } : reading
  }

  const documents = linkedDocuments(site, fetchPage, (path) => listed.has(path), before)
  for await (const readings of concurrently(
    { [Symbol.iterator]: () => inTurn },
    site.limits.pagesAtOnce,
    read,
    signal,
    site.giveWay,
  ))
    for (const reading of readings) yield* documents(visited(reading), signal)
  for (const reading of settled(claims.end())) yield* documents(visited(reading), signal)
}

function settled(claims: SettledClaim[]): PageReading[] {
  return claims.map((settled) => {
    const { page, document, canonical } = settled.claim
    if (settled.as === "repetition") return duplicate(page, settled.of)
    const url = settled.as === "canonical" ? canonical.href : document.url
    return { page, outcome: "read", document: { ...document, url } }
  })
}

function first<Key, Value>(map: Map<Key, Value>): [Key, Value] | undefined {
  for (const entry of map) return entry
  return undefined
}

/** `listed`: the addresses that can be read, by path, in the order given. `leftOut`: the others. */
function sortOut(addresses: Iterable<string>, { fetcher, start, unwanted }: Site) {
  const listed = new Map<string, URL>()
  const leftOut: PageReading[] = []
  for (const address of addresses) {
    const url = pageUrl(address)
    if (!url) {
      leftOut.push({
        page: shortened(address),
        outcome: "left_out",
        reason: "unreadable",
        detail: detail("reading.notAnAddress"),
      })
    } else if (!fetcher.admits(url)) {
      leftOut.push(asReading(url.href, foreignHost(url)))
    } else if (unwanted(url)) {
      leftOut.push(asReading(url.href, unwanted(url) as ReadFailure))
    } else {
      const path = pagePath(url, start.host)
      const first = listed.get(path)
      if (!first) listed.set(path, url)
      else if (first.href !== url.href) leftOut.push(duplicate(url.href, first.href))
    }
  }
  return { listed, leftOut }
}

/** A defect that one page brings out must not end the reading of the others. */
function failed({ message }: Error, signal: AbortSignal): ReadFailure {
  signal.throwIfAborted()
  return { outcome: "failed", detail: message }
}

function duplicate(page: string, of: string): PageReading {
  return {
    page,
    outcome: "left_out",
    reason: "duplicate",
    detail: detail("reading.samePageAs", { page: of }),
  }
}

function shortened(address: string): string {
  return address.length > 200 ? `${address.slice(0, 200)}…` : address
}
