import { detail } from "../../../base/errors.ts"
import type { PageReading, ReadBefore } from "../feed.ts"
import { concurrently } from "./concurrently.ts"
import type { ReadPage } from "./page.ts"
import { pagePath, pageUrl } from "./page-path.ts"
import type { Site } from "./site.ts"
import { asReading, foreign, type Unread } from "./unread.ts"

/**
 * Reads each page of a list once, several at a time. Two addresses with one path, and addresses that turn out
 * to lead to a page which has been read or is itself listed, are the same page: one of them is read, the
 * others are left out.
 */
export async function* readListedPages(
  addresses: Iterable<string>,
  site: Site,
  fetchPage: (url: URL, signal: AbortSignal) => Promise<ReadPage | Unread>,
  signal: AbortSignal,
  before: ReadBefore = new Map(),
): AsyncGenerator<PageReading> {
  const { listed, leftOut } = sift(addresses, site)
  yield* leftOut
  /** Path of each page that has its document, with the address it was listed under. */
  const taken = new Map([...listed].map(([path, url]) => [path, url.href]))
  for (const [page, documentUrl] of before)
    if (documentUrl !== undefined) taken.set(pagePath(new URL(documentUrl), site.start.host), page)
  const unread = [...listed].filter(([, url]) => !before.has(url.href))

  async function read([path, url]: [string, URL], signal: AbortSignal): Promise<PageReading> {
    const page = url.href
    const found = await fetchPage(url, signal).catch(failed(signal))
    if (found.outcome !== "read") return asReading(page, found)
    const own = pagePath(new URL(found.document.url), site.start.host)
    const owner = own === path ? page : (taken.get(own) ?? page)
    if (owner !== page) return duplicate(page, owner)
    taken.set(own, page)
    return { page, outcome: "read", document: found.document }
  }

  yield* concurrently(unread, site.limits.pagesAtOnce, read, signal)
}

/** What of a list can be read, by path, in its order; the rest with the reason. */
function sift(addresses: Iterable<string>, { door, start }: Site) {
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
    } else if (!door.admits(url)) {
      leftOut.push(asReading(url.href, foreign(url)))
    } else {
      const path = pagePath(url, start.host)
      const first = listed.get(path)
      if (!first) listed.set(path, url)
      else if (first.href !== url.href) leftOut.push(duplicate(url.href, first.href))
    }
  }
  return { listed, leftOut }
}

/** A page that our reading trips over must not end the reading of the others. */
function failed(signal: AbortSignal): (error: Error) => Unread {
  return ({ message }) => {
    signal.throwIfAborted()
    return { outcome: "failed", detail: message }
  }
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
