import { type Detail, detail, type Told } from "../../../base/errors.ts"
import { maxUrlLength } from "../../../base/text.ts"
import type { PageReading } from "../feed.ts"
import type { Limits } from "./network.ts"
import type { Site } from "./site.ts"
import { asReading, detailOf, placed, type Unread, unreadable } from "./unread.ts"

/** What one list names, as written: pages, and further lists. */
export interface Listing {
  pages: string[]
  lists: string[]
  /** Addresses that were dropped for their length. */
  tooLong: number
}

export interface Listed {
  /** Absolute addresses, or what stood in their place. */
  pages: Set<string>
  /** Lists that were not read, and limits that were met. */
  troubles: PageReading[]
}

/**
 * Reads a list and every list that it leads to, each once, to a bounded depth and number. A further list that
 * cannot be read leaves the whole incomplete. Throws Refusal when the first one cannot be read, or nothing
 * names a page.
 */
export async function readLists(
  { start, limits }: Site,
  readOne: (url: URL) => Promise<Listing | Unread>,
): Promise<Listed> {
  const listed: Listed = { pages: new Set(), troubles: [] }
  const seen = new Set([start.href])
  const gathered: Gathered = { pages: listed.pages, characters: 0 }
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
      const added = addPages(gathered, listing.pages, url, limits)
      const tooLong = listing.tooLong + added.tooLong
      if (tooLong > 0) listed.troubles.push(droppedFrom(url, tooLong))
      if (added.excess) {
        listed.troubles.push(incomplete(url, added.excess))
        return listed
      }
      for (const list of unseen(listing.lists, url, seen, limits.lists)) below.push(list)
    }
    if (below.length > 0 && (depth + 1 >= limits.listDepth || seen.size > limits.lists)) {
      const tooDeep = detail("reading.listsTooDeep", { deep: limits.listDepth, most: limits.lists })
      listed.troubles.push(incomplete(below[0] as URL, tooDeep))
      break
    }
    level = below
  }
  if (listed.pages.size === 0)
    throw unreadable(start.href, firstDetail(listed.troubles) ?? detail("reading.noPage"))
  return listed
}

/** The pages of all lists so far, and how long their addresses are together. */
interface Gathered {
  pages: Set<string>
  characters: number
}

/** `excess`: what there was too much of; the pages before it were added. */
function addPages(
  gathered: Gathered,
  found: string[],
  base: URL,
  limits: Limits,
): { tooLong: number; excess?: Detail } {
  const { pages } = gathered
  let tooLong = 0
  for (const text of found) {
    const address = URL.parse(text, base.href)?.href ?? text
    if (pages.has(address)) continue
    // With its escapes an address may be nine times as long as it was written.
    if (address.length > maxUrlLength) {
      tooLong++
      continue
    }
    if (pages.size >= limits.pages)
      return { tooLong, excess: detail("reading.tooManyPages", { most: limits.pages }) }
    if (gathered.characters + address.length > limits.addressCharacters)
      return { tooLong, excess: detail("reading.addressesTooLong", { most: limits.addressCharacters }) }
    pages.add(address)
    gathered.characters += address.length
  }
  return { tooLong }
}

/** One more than may be read tells that there are too many. */
function unseen(lists: string[], base: URL, seen: Set<string>, most: number): URL[] {
  const found: URL[] = []
  for (const text of lists) {
    if (seen.size > most) break
    const url = URL.parse(text, base.href)
    if (!url || url.href.length > maxUrlLength || seen.has(url.href)) continue
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

function incomplete(url: URL, why: Told): PageReading {
  return { page: url.href, outcome: "failed", detail: why, listIncomplete: true }
}

function droppedFrom(url: URL, count: number): PageReading {
  const why = detail("reading.longAddresses", { count, most: maxUrlLength })
  return { page: url.href, outcome: "left_out", reason: "unreadable", detail: why }
}

function firstDetail([trouble]: PageReading[]): Told | undefined {
  return trouble && "detail" in trouble && trouble.detail ? placed(trouble.page, trouble.detail) : undefined
}
