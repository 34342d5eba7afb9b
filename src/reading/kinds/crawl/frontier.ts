import { type Detail, detail } from "../../../base/errors.ts"
import type { PageReading } from "../page-reading.ts"
import { pagePath, pageUrl } from "../web/page-path.ts"
import type { SiteFetcher } from "../web/site-fetcher.ts"
import { sortedParameters, standing, trapFinder } from "./traps.ts"
import { type CrawlSettings, noVisits, type Visit, type Visits } from "./visits.ts"

/** Addresses of one reading together, and traps that it tells of. */
const maxCharacters = 5_000_000
const maxTold = 20

/** The pages that links have led to in one reading, each counted once. */
export interface Frontier {
  visits: Visits
  /** Said by pages that were asked for and are not handed on yet, by address. */
  said: Map<string, Visit>
  /** The pages that a page leads to and that none before it led to. `isOwn`: it gives this address to itself. */
  follow(from: URL, links: readonly string[], isOwn?: boolean): URL[]
  /** Keeps in mind that a link is not followed; it may be for another page. */
  leave(link: string, why: Detail): void
  /** At the end of a reading: links beyond a limit, and parameters without which many links are one. */
  told(): PageReading[]
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
  const dropped = droppedParameters(settings)
  /** Links that are not followed, by path, each with the reason; then those that are too far. */
  const left = new Map<string, { page: string; why: Detail }>()
  const far = new Map<string, string>()
  let untold: string | undefined
  let problems: PageReading[] = []
  let characters = 0
  let isFull = false

  function admitted(url: URL, depth: number): boolean {
    const trap = findTrap(url)
    if (trap) {
      refused.add(pathKey(url))
      if (refused.size <= maxTold)
        problems.push({ page: url.href, outcome: "left_out", reason: "trap", detail: trap })
      else untold ??= url.href
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

  function noteFar(link: string): void {
    const written = pageUrl(link)
    const url = written && standing(written, settings)
    if (url && admits(url) && far.size < settings.pages) far.set(pathKey(url), url.href)
  }

  return {
    visits,
    said: new Map(),
    follow(from, links, isOwn = false) {
      const depth = (depths.get(pathKey(from)) ?? 0) + 1
      if (depth > settings.depth) {
        for (const link of links) noteFar(link)
        return []
      }
      return links.flatMap((link) => {
        const written = pageUrl(link)
        const url = isOwn ? written : written && standing(written, settings)
        if (url && written && admits(url)) dropped.note(written)
        if (!url || isFull || !admits(url)) return []
        const path = pathKey(url)
        const earlier = depths.get(path)
        if (earlier !== undefined) depths.set(path, Math.min(earlier, depth))
        // A set of traps grows no further than the pages themselves may.
        if (earlier !== undefined || refused.has(path) || refused.size > settings.pages) return []
        return admitted(url, depth) ? [url] : []
      })
    },
    leave(link, why) {
      const url = standing(new URL(link), settings)
      if (url && admits(url) && left.size < maxTold) left.set(pathKey(url), { page: url.href, why })
    },
    told() {
      const notRead = <Each>(links: Map<string, Each>) => [...links].filter(([path]) => !depths.has(path))
      const beyond = notRead(left).map(([, each]) => each)
      const [first, ...more] = notRead(far)
      if (first) {
        const why = detail("reading.tooFar", { count: more.length + 1, most: settings.depth })
        beyond.push({ page: first[1], why })
      }
      const traps = refused.size - maxTold
      if (untold) beyond.push({ page: untold, why: detail("reading.moreTraps", { count: traps }) })
      return [
        ...beyond.map(
          ({ page, why }): PageReading => ({ page, outcome: "left_out", reason: "limit", detail: why }),
        ),
        ...dropped.told(),
      ]
    },
    problems() {
      const reported = problems
      problems = []
      return reported
    },
  }
}

/** Fewer values may be those of a menu, such as a language. */
const leastValues = 3
const most = { names: 100, values: 1000 }
/** Where a visitor comes from, how a list is sorted, a session: they tell no pages apart. */
const tellsNothing =
  /^(?:utm_.*|mtm_.*|pk_.*|[a-z]{1,4}clid|ref|source|share|replytocom|redirect(?:_to)?|return(?:_?to|url)?|sort|order|dir|view|print|lang|locale|v|ver|_.*|(?:php|j)?sess(?:ion)?id|sid|do|action|rev|token|nonce)$/i
/** A link that edits a page of a wiki, or shows an earlier version of it: its other parameters name the same page. */
const actsOnPage =
  /[?&](?:(?:do|action|veaction)=(?!(?:show|view)(?:&|$))|(?:oldid|diff|printable|redlink)=)/i

/** Counts the values of the parameters that are dropped from links, by the address without them. */
function droppedParameters(settings: CrawlSettings) {
  const values = new Map<string, { example: string; name: string; values: Set<string> }>()
  return {
    note(link: URL): void {
      if (actsOnPage.test(link.search)) return
      for (const { name, value } of sortedParameters(link, settings).dropped) {
        if (value === "" || name.length > 50 || tellsNothing.test(name)) continue
        const key = `${link.host}${link.pathname} ${name}`
        const seen = values.get(key) ?? { example: link.href, name, values: new Set<string>() }
        if (!values.has(key) && values.size >= most.names) return
        values.set(key, seen)
        if (seen.values.size < most.values) seen.values.add(value.slice(0, 100))
      }
    },
    told(): PageReading[] {
      return [...values.values()]
        .filter(({ values }) => values.size >= leastValues)
        .toSorted((one, other) => other.values.size - one.values.size)
        .slice(0, maxTold)
        .map(({ example: page, name, values: { size: count } }) => {
          const why = detail("reading.onlyParameter", { count, name })
          return { page, outcome: "left_out", reason: "trap", detail: why }
        })
    },
  }
}
