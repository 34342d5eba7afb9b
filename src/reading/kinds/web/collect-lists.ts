import { type Detail, detail, type Explanation } from "../../../base/errors.ts"
import { maxUrlLength } from "../../../base/text.ts"
import type { PageReading } from "../page-reading.ts"
import type { Limits } from "./network.ts"
import { asReading, failureDetail, type ReadFailure, unreadable, withPlace } from "./read-failure.ts"
import type { Site } from "./site.ts"

/** One list: the addresses of pages and of further lists, as written. */
export interface PageList {
  pages: string[]
  lists: string[]
  /** How many addresses were dropped for their length. */
  tooLong: number
}

export interface CollectedPages {
  /** Absolute addresses; text that is no address stays as written. */
  pages: Set<string>
  /** Lists that were not read, and limits that were reached. */
  problems: PageReading[]
}

/**
 * Reads lists and every list that they lead to, each once, to a bounded depth and number. If one of several
 * cannot be read, the whole counts as incomplete. Throws Refusal when the only list cannot be read, or none
 * holds a page.
 */
export async function collectLists(
  { start, limits }: Site,
  first: readonly URL[],
  readOne: (url: URL) => Promise<PageList | ReadFailure>,
): Promise<CollectedPages> {
  const collected: CollectedPages = { pages: new Set(), problems: [] }
  const seen = new Set(first.map(({ href }) => href))
  const total: Total = { pages: collected.pages, characters: 0 }
  let level = [...first]
  for (let depth = 0; level.length > 0; depth++) {
    const below: URL[] = []
    for (const url of level) {
      const list = await readOne(url)
      if ("outcome" in list) {
        if (depth === 0 && first.length === 1) throw unreadable(url.href, list)
        collected.problems.push(listProblem(url, list))
        continue
      }
      const added = addPages(total, list.pages, url, limits)
      const tooLong = list.tooLong + added.tooLong
      if (tooLong > 0) collected.problems.push(droppedFrom(url, tooLong))
      if (added.excess) {
        collected.problems.push(incomplete(url, added.excess))
        return collected
      }
      for (const next of unseen(list.lists, url, seen, limits.lists)) below.push(next)
    }
    if (below.length > 0 && (depth + 1 >= limits.listDepth || seen.size > limits.lists)) {
      const tooDeep = detail("reading.listsTooDeep", { deep: limits.listDepth, most: limits.lists })
      collected.problems.push(incomplete(below[0] as URL, tooDeep))
      break
    }
    level = below
  }
  if (collected.pages.size === 0)
    throw unreadable(start.href, firstDetail(collected.problems) ?? detail("reading.noPage"))
  return collected
}

/** The pages of all lists so far, and how long their addresses are together. */
interface Total {
  pages: Set<string>
  characters: number
}

/** `excess`: the limit that was reached; the pages before it were added. */
function addPages(
  total: Total,
  found: string[],
  base: URL,
  limits: Limits,
): { tooLong: number; excess?: Detail } {
  const { pages } = total
  let tooLong = 0
  for (const text of found) {
    const address = URL.parse(text, base.href)?.href ?? text
    if (pages.has(address)) continue
    // Escapes can make an address nine times as long as it was written.
    if (address.length > maxUrlLength) {
      tooLong++
      continue
    }
    if (pages.size >= limits.pages)
      return { tooLong, excess: detail("reading.tooManyPages", { most: limits.pages }) }
    if (total.characters + address.length > limits.addressCharacters)
      return { tooLong, excess: detail("reading.addressesTooLong", { most: limits.addressCharacters }) }
    pages.add(address)
    total.characters += address.length
  }
  return { tooLong }
}

/** Adds the new lists to `seen`, up to one more than `maxLists`: that one says that there are too many. */
function unseen(lists: string[], base: URL, seen: Set<string>, maxLists: number): URL[] {
  const found: URL[] = []
  for (const text of lists) {
    if (seen.size > maxLists) break
    const url = URL.parse(text, base.href)
    if (!url || url.href.length > maxUrlLength || seen.has(url.href)) continue
    seen.add(url.href)
    found.push(url)
  }
  return found
}

/** A list on another site is left out. Any other that cannot be read may hold pages that we do not know. */
function listProblem(url: URL, failure: ReadFailure): PageReading {
  if (failure.outcome === "left_out" && failure.reason === "foreign_host") return asReading(url.href, failure)
  return incomplete(url, failureDetail(failure))
}

function incomplete(url: URL, why: Explanation): PageReading {
  return { page: url.href, outcome: "failed", detail: why, listIncomplete: true }
}

function droppedFrom(url: URL, count: number): PageReading {
  const why = detail("reading.longAddresses", { count, most: maxUrlLength })
  return { page: url.href, outcome: "left_out", reason: "unreadable", detail: why }
}

function firstDetail([problem]: PageReading[]): Explanation | undefined {
  return problem && "detail" in problem && problem.detail
    ? withPlace(problem.page, problem.detail)
    : undefined
}
