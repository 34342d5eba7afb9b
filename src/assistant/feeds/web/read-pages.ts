import { detail } from "../../../base/errors.ts"
import type { PageReading, ReadBefore } from "../feed.ts"
import { concurrently } from "./concurrently.ts"
import type { ReadPage } from "./page.ts"
import { pagePath, pageUrl } from "./page-path.ts"
import { asReading, foreignHost, type ReadFailure } from "./read-failure.ts"
import type { Site } from "./site.ts"

/**
 * Reads each page once, several at a time. Addresses with the same path are the same page, and so is an
 * address that turns out to lead to a page that was read or is listed itself. One of them is read, the others
 * are left out. Pages of `before` are not read again.
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
  const remaining = [...listed].filter(([, url]) => !before.has(url.href))

  async function read([path, url]: [string, URL], signal: AbortSignal): Promise<PageReading> {
    const page = url.href
    const found = await fetchPage(url, signal).catch((error: Error) => {
      site.giveWay?.throwIfAborted()
      return failed(error, signal)
    })
    if (found.outcome !== "read") return asReading(page, found)
    const own = pagePath(new URL(found.document.url), site.start.host)
    const owner = own === path ? page : (pageOf.get(own) ?? page)
    if (owner !== page) return duplicate(page, owner)
    pageOf.set(own, page)
    return { page, outcome: "read", document: found.document }
  }

  yield* concurrently(remaining, site.limits.pagesAtOnce, read, signal, site.giveWay)
}

/** `listed`: the addresses that can be read, by path, in the order given. `leftOut`: the others. */
function sortOut(addresses: Iterable<string>, { fetcher, start }: Site) {
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
