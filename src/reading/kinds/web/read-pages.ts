import { detail } from "../../../base/errors.ts"
import type { Document } from "../../formats/document.ts"
import { withoutLinks } from "../../formats/link.ts"
import { printedPage } from "../crawl/traps.ts"
import type { KnownDocument } from "../crawl/visits.ts"
import type { PageReading, ReadBefore } from "../page-reading.ts"
import { type CanonicalClaims, canonicalClaims, type SettledClaim } from "./canonical-claims.ts"
import { concurrently } from "./concurrently.ts"
import { linkedDocuments } from "./linked-documents.ts"
import type { ReadPage } from "./page.ts"
import { pagePath, pageUrl } from "./page-path.ts"
import { openPagesToRead, type PagesToRead } from "./pages-to-read.ts"
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
  fetchPage: FetchPage,
  signal: AbortSignal,
  before: ReadBefore = new Map(),
): AsyncGenerator<PageReading> {
  const { listed, leftOut } = sortOut(addresses, site)
  if (!site.frontier) site.onListed?.(listed.size + leftOut.length)
  yield* leftOut
  const pages = openPagesToRead(listed, site, before)
  const claims = canonicalClaims(pages.notRead)
  const read = pageReader({ site, pages, claims, fetchPage, before })
  const documents = linkedDocuments(site, fetchPage, (path) => listed.has(path), before)
  const { pagesAtOnce } = site.limits
  for await (const readings of concurrently(pages, pagesAtOnce, read, signal, site.giveWay))
    for (const reading of readings) yield* documents(withVisit(reading, site), signal)
  for (const reading of settled(claims.end())) yield* documents(withVisit(reading, site), signal)
}

type FetchPage = (url: URL, signal: AbortSignal) => Promise<ReadPage | ReadFailure>

interface PageReader {
  site: Site
  pages: PagesToRead
  claims: CanonicalClaims
  fetchPage: FetchPage
  before: ReadBefore
}

/** Reads one page; the readings that it settles are its own, and those of pages that waited for it. */
function pageReader({ site, pages, claims, fetchPage, before }: PageReader) {
  const { frontier, giveWay, start, unwanted } = site
  /** The first page with each text. */
  const texts = new Map<bigint, string>()
  const titles = new Set<string>()

  async function fetchOne(path: string, url: URL, signal: AbortSignal): Promise<PageReading[]> {
    const page = url.href
    const visit = await frontier?.visits.of(page)
    if (before.has(page)) {
      pages.follow(url, visit?.links ?? [])
      return notReadNow(path, page)
    }
    const reply = await fetchPage(url, signal).catch((error: Error) => {
      giveWay?.throwIfAborted()
      return failed(error, signal)
    })
    // A page that cannot be read this time leads where it led before.
    pages.follow(url, frontier?.said.get(page)?.links ?? visit?.links ?? [])
    if (reply.outcome === "read") return judged(path, url, reply)
    const owner =
      reply.outcome === "unchanged" && visit?.url ? pages.ownerOf(new URL(visit.url), path, page) : page
    if (owner !== page) return [duplicate(page, owner)]
    return notReadNow(path, page, asReading(page, reply))
  }

  /** A page whose document stays as it was is repeated by others like one that is read. */
  async function notReadNow(path: string, page: string, reading?: PageReading): Promise<PageReading[]> {
    const hasDocument = reading ? reading.outcome === "unchanged" : before.get(page) !== undefined
    const document = hasDocument ? await frontier?.visits.documentOf(page) : undefined
    if (!document) return [reading ?? [], ...settled(claims.read(path, page, undefined))].flat()
    titles.add(document.title.toLowerCase())
    const own = pagePath(new URL(document.url), start.host)
    const settledEarlier = settled([...new Set([own, path])].flatMap((at) => claims.read(at, page, document)))
    const first = firstWith(document, page)
    return [first === page ? (reading ?? []) : duplicate(page, first), ...settledEarlier].flat()
  }

  /** The first page with the text of this one. */
  function firstWith(document: KnownDocument, page: string): string {
    const key = textKey(document)
    const first = texts.get(key) ?? page
    texts.set(key, first)
    return first
  }

  /** Decides whether the page is read, or another one stands for it; that may wait for the page that it names. */
  function judged(path: string, url: URL, { document, canonical: given }: ReadPage) {
    const page = url.href
    const address = new URL(document.url)
    const printed = frontier ? printedPage(url) : undefined
    if (printed && countTitles(document) > maxTitlesPrinted)
      return [
        asReading(page, { outcome: "left_out", reason: "duplicate", detail: detail("reading.printsPages") }),
      ]
    const isOfListed = printed && pages.isListed(pagePath(printed, start.host))
    const isOwn = given === undefined || pagePath(given, start.host) === pagePath(address, start.host)
    const canonical = isOwn && isOfListed ? printed : (given ?? address)
    titles.add(document.title.toLowerCase())
    const own = pagePath(address, start.host)
    const named = pagePath(canonical, start.host)
    pages.follow(url, [canonical.href], true)
    const settledEarlier = settled([...new Set([own, path])].flatMap((at) => claims.read(at, page, document)))
    const owner = pages.ownerOf(address, path, page)
    const why = unwanted(address)
    if (why) return [asReading(page, why), ...settledEarlier]
    if (owner !== page) return [duplicate(page, owner), ...settledEarlier]
    pages.standsAt(own, page)
    if (named === own || named === path) {
      // A list of pages is the owner's word for each of them; links lead to twins too.
      const first = frontier ? firstWith(document, page) : page
      if (first !== page) return [duplicate(page, first), ...settledEarlier]
      return [pageRead(page, document, canonical.href), ...settledEarlier]
    }
    pages.hurry(named)
    const claim = { page, document, canonical }
    return [...settledEarlier, ...settled(claims.claim(named, claim, pages.isListed(named)))]
  }

  /** Titles of pages read before that are headings of the page. */
  function countTitles({ title, sections }: Document): number {
    const headings = new Set(sections.map(({ headings }) => (headings.at(-1) ?? "").toLowerCase()))
    headings.delete(title.toLowerCase())
    return [...headings].filter((heading) => titles.has(heading)).length
  }

  return async ([path, url]: [string, URL], signal: AbortSignal): Promise<PageReading[]> => {
    const readings = await fetchOne(path, url, signal).finally(() => pages.ended(path))
    return [...(frontier?.problems() ?? []), ...readings]
  }
}

/** A page for printing that has more of them among its headings is the whole of a site or of a part of it. */
const maxTitlesPrinted = 2

/** Pages of one title and one text are one page, such as another one for printing. */
function textKey({ title, sections }: KnownDocument): bigint {
  const text = sections.map(({ headings, markdown }) => `${headings.at(-1) ?? ""}\n${withoutLinks(markdown)}`)
  return Bun.hash.xxHash64([title, ...text].join("\n").toLowerCase().replace(/\s+/g, " "))
}

/** With what the page said of itself. */
function withVisit(reading: PageReading, { frontier }: Site): PageReading {
  const visit = frontier?.said.get(reading.page)
  frontier?.said.delete(reading.page)
  const isStored = reading.outcome === "read" || reading.outcome === "left_out"
  return visit && isStored ? { ...reading, visit } : reading
}

function pageRead(page: string, document: Document, url: string): PageReading {
  return { page, outcome: "read", document: { ...document, url } }
}

function settled(claims: SettledClaim[]): PageReading[] {
  return claims.map((settled) => {
    const { page, document, canonical } = settled.claim
    if (settled.as === "repetition") return duplicate(page, settled.of)
    return pageRead(page, document, settled.as === "canonical" ? canonical.href : document.url)
  })
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
