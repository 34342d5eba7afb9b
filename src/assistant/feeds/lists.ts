import type { PageReading } from "./feed.ts"
import type { Site } from "./site.ts"
import { asReading, detailOf, type Unread, unreadable } from "./unread.ts"

/** What one list names, as written: pages, and further lists. */
export interface Listing {
  pages: string[]
  lists: string[]
}

export interface Listed {
  /** Absolute addresses, or what stood in their place. */
  pages: Set<string>
  /** Lists that were not read, and limits that were met. */
  troubles: PageReading[]
}

/**
 * Reads a list and every list that it leads to, each once, to a bounded depth and number. A further list that cannot
 * be read leaves the whole incomplete. Throws Refusal when the first one cannot be read, or nothing names a page.
 */
export async function readLists(
  { start, limits }: Site,
  readOne: (url: URL) => Promise<Listing | Unread>,
): Promise<Listed> {
  const listed: Listed = { pages: new Set(), troubles: [] }
  const seen = new Set([start.href])
  let level = [start]
  for (let depth = 0; level.length > 0; depth++) {
    const below: URL[] = []
    for (const url of level) {
      const listing = await readOne(url)
      if ("outcome" in listing) {
        if (depth === 0) throw unreadable(start.href, listing)
        listed.troubles.push(troubleOf(url, listing))
        continue
      }
      if (addPages(listed.pages, listing.pages, url, limits.pages)) {
        listed.troubles.push(incomplete(url, `more than ${limits.pages} pages: the rest is not read`))
        return listed
      }
      below.push(...unseen(listing.lists, url, seen))
    }
    if (below.length > 0 && (depth + 1 >= limits.listDepth || seen.size > limits.lists)) {
      const detail = `lists within lists, more than ${limits.listDepth} deep or ${limits.lists} in all`
      listed.troubles.push(incomplete(below[0] as URL, detail))
      break
    }
    level = below
  }
  if (listed.pages.size === 0)
    throw unreadable(start.href, firstDetail(listed.troubles) ?? "it lists no page")
  return listed
}

/** True when there were too many. */
function addPages(pages: Set<string>, found: string[], base: URL, most: number): boolean {
  for (const text of found) {
    const address = URL.parse(text, base.href)?.href ?? text
    if (pages.size >= most && !pages.has(address)) return true
    pages.add(address)
  }
  return false
}

function unseen(lists: string[], base: URL, seen: Set<string>): URL[] {
  const found: URL[] = []
  for (const text of lists) {
    const url = URL.parse(text, base.href)
    if (!url || seen.has(url.href)) continue
    seen.add(url.href)
    found.push(url)
  }
  return found
}

/** A list elsewhere is none of ours; any other that cannot be read leaves us not knowing what there is. */
function troubleOf(url: URL, unread: Unread): PageReading {
  if (unread.outcome === "left_out" && unread.reason === "foreign_host") return asReading(url.href, unread)
  return incomplete(url, detailOf(unread))
}

function incomplete(url: URL, detail: string): PageReading {
  return { page: url.href, outcome: "failed", detail, listIncomplete: true }
}

function firstDetail([trouble]: PageReading[]): string | undefined {
  return trouble && "detail" in trouble ? `${trouble.page}: ${trouble.detail}` : undefined
}
