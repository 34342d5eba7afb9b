import { detail } from "../../../base/errors.ts"
import type { PageReading } from "../page-reading.ts"
import { pagePath, pageUrl } from "../web/page-path.ts"
import type { SiteFetcher } from "../web/site-fetcher.ts"
import { standing, trapFinder } from "./traps.ts"
import { type CrawlSettings, noVisits, type Visit, type Visits } from "./visits.ts"

/** Addresses of one reading together, and traps that it tells of. */
const maxCharacters = 5_000_000
const maxTold = 20

/** The pages that links have led to in one reading, each counted once. */
export interface Frontier {
  visits: Visits
  /** Said by pages that were asked for and are not handed on yet, by address. */
  said: Map<string, Visit>
  /** The pages that a page leads to and that none before it led to. */
  follow(from: URL, links: readonly string[]): URL[]
  /** Links not followed, since the last call. */
  problems(): PageReading[]
}

export function openFrontier(
  start: URL,
  settings: CrawlSettings,
  { admits }: SiteFetcher,
  visits: Visits = noVisits,
): Frontier {
  const findTrap = trapFinder()
  const pathKey = (url: URL) => pagePath(url, start.host)
  const depths = new Map([[pathKey(start), 0]])
  const refused = new Set<string>()
  let problems: PageReading[] = []
  let characters = 0
  let isFull = false

  function admitted(url: URL, depth: number): boolean {
    const trap = findTrap(url)
    if (trap) {
      refused.add(pathKey(url))
      if (refused.size <= maxTold)
        problems.push({ page: url.href, outcome: "left_out", reason: "trap", detail: trap })
      return false
    }
    characters += url.href.length
    if (depths.size >= settings.pages || characters > maxCharacters) {
      const why = detail("reading.tooManyCrawled", { most: settings.pages })
      problems.push({ page: url.href, outcome: "left_out", reason: "too_large", detail: why })
      isFull = true
      return false
    }
    depths.set(pathKey(url), depth)
    return true
  }

  return {
    visits,
    said: new Map(),
    follow(from, links) {
      const depth = (depths.get(pathKey(from)) ?? 0) + 1
      if (depth > settings.depth) return []
      return links.flatMap((link) => {
        const written = pageUrl(link)
        const url = written && standing(written, settings)
        if (!url || isFull || !admits(url)) return []
        const path = pathKey(url)
        const earlier = depths.get(path)
        if (earlier !== undefined) depths.set(path, Math.min(earlier, depth))
        // A set of traps grows no further than the pages themselves may.
        if (earlier !== undefined || refused.has(path) || refused.size > settings.pages) return []
        return admitted(url, depth) ? [url] : []
      })
    },
    problems() {
      const reported = problems
      problems = []
      return reported
    },
  }
}
