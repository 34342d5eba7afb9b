import { detail } from "../../../base/errors.ts"
import type { PageReading, ReadBefore } from "../page-reading.ts"
import { concurrently } from "./concurrently.ts"
import { documentLimits } from "./document-links.ts"
import type { ReadPage } from "./page.ts"
import { pagePath, pageUrl } from "./page-path.ts"
import { asReading, foreignHost, type ReadFailure } from "./read-failure.ts"
import type { Site } from "./site.ts"

/** Other sites whose documents are told of. */
const maxForeign = 20

/**
 * Gives for the reading of each page those of the documents that it links to, then itself: a reading that is cut off
 * finds the page again as long as one of them is not read. Each document is read once. A page that could not be read
 * may link to documents that were read before, so that the list of this reading is incomplete.
 */
export function linkedDocuments(
  site: Site,
  fetchPage: (url: URL, signal: AbortSignal) => Promise<ReadPage | ReadFailure>,
  isListed: (path: string) => boolean,
  before: ReadBefore,
): (reading: PageReading, signal: AbortSignal) => AsyncGenerator<PageReading> {
  const seen = new Set<string>()
  const elsewhere = new Set<string>()
  let excess: string | undefined

  /** The documents that no page has named before. */
  function unseen(addresses: readonly string[]): URL[] {
    return addresses.flatMap((address) => {
      const url = pageUrl(address)
      if (!url || seen.has(url.href) || !site.fetcher.admits(url) || site.unwanted(url)) return []
      if (isListed(pagePath(url, site.start.host))) return []
      if (seen.size >= documentLimits.ofFeed) excess ??= url.href
      if (excess !== undefined) return []
      seen.add(url.href)
      return before.has(url.href) ? [] : [url]
    })
  }

  /** One document of each site that is none of the project's, for the owner to declare it. */
  function* foreign(addresses: readonly string[]): Generator<PageReading> {
    for (const address of addresses) {
      const url = pageUrl(address)
      if (!url || site.fetcher.admits(url) || elsewhere.has(url.host)) continue
      if (elsewhere.size >= maxForeign) return
      elsewhere.add(url.host)
      yield asReading(url.href, foreignHost(url))
    }
  }

  function limited(page: string, most: number): PageReading {
    const why = detail("reading.tooManyDocuments", { most })
    return { page, outcome: "left_out", reason: "limit", detail: why }
  }

  async function read(url: URL, signal: AbortSignal): Promise<PageReading> {
    const page = url.href
    const result = await fetchPage(url, signal).catch((error: Error): ReadFailure => {
      site.giveWay?.throwIfAborted()
      signal.throwIfAborted()
      return { outcome: "failed", detail: error.message }
    })
    if (result.outcome !== "read") return asReading(page, result)
    if (result.document.format === undefined) return { page, outcome: "left_out", reason: "not_html" }
    return { page, outcome: "read", document: result.document }
  }

  return async function* documents(reading, signal) {
    const url = site.linked && pageUrl(reading.page)
    if (url) {
      const wasComplete = excess === undefined
      const linked = site.linked?.get(pagePath(url, site.start.host)) ?? []
      const addresses = linked.slice(0, documentLimits.ofPage)
      const [beyond] = linked.slice(documentLimits.ofPage)
      if (beyond !== undefined && !seen.has(beyond)) yield limited(beyond, documentLimits.ofPage)
      yield* foreign(addresses)
      yield* concurrently(unseen(addresses), site.limits.pagesAtOnce, read, signal, site.giveWay)
      if (wasComplete && excess !== undefined) yield limited(excess, documentLimits.ofFeed)
    }
    yield site.linked && reading.outcome === "failed" ? { ...reading, listIncomplete: true } : reading
  }
}
