import { detail, type Explanation } from "../../../base/errors.ts"
import type { CrawlSettings } from "./visits.ts"

/** Deeper than the paths of any documentation. */
const maxSegments = 15
/** Addresses that differ in a date at their end alone, or in their query strings alone. */
const maxDates = 24
const maxQueries = 200

const sessionInPath = /;(?:jsessionid|phpsessid|sessionid|sid)=[^/]*/gi
const aspSession = /\/\((?:[A-Z]\([^()/]{1,200}\)){1,3}\)(?=\/|$)/g
const noPage =
  /\.(?:avif|png|jpe?g|gif|svg|webp|ico|bmp|css|m?js|json|map|xml|rss|atom|zip|gz|tgz|tar|7z|rar|mp[34]|ogg|webm|avi|mov|woff2?|ttf|eot|exe|dmg|iso|deb|rpm|jar|pdf|docx?|od[tsp]|xlsx?|pptx?|csv|ics)$/i

const forPrinting = /\/(?:print|imprimer|printable|imprimable|version-imprimable)(?:\.(?:html?|php))?\/?$/i

/**
 * The address of the page that one with this address prints, by its shape; the text decides. Undefined for others:
 * `/aide/imprimer` may print `/aide`, or tell how to print.
 */
export function printedPage(url: URL): URL | undefined {
  if (!forPrinting.test(url.pathname)) return undefined
  const printed = new URL(url)
  printed.pathname = url.pathname.replace(forPrinting, "") || "/"
  return printed
}

/** The sources that Sphinx serves beside its pages. */
function isSource(path: string): boolean {
  return path.includes("/_sources/") && path.endsWith(".txt")
}

/**
 * The address that stands for all spellings of a link: without session, and of its query string a key without value,
 * such as SPIP’s `?article12`, and the parameters that the owner named, in order. Undefined for a file that is no page.
 */
export function standing(link: URL, settings: CrawlSettings): URL | undefined {
  const url = new URL(link)
  url.hash = ""
  url.pathname = url.pathname.replace(sessionInPath, "").replace(aspSession, "")
  if (!/^https?:$/.test(url.protocol) || noPage.test(url.pathname) || isSource(url.pathname)) return undefined
  const { wanted } = sortedParameters(link, settings)
  const bare = bareKey(link, settings)
  const named = wanted
    .filter(({ name }) => name !== bare)
    .sort((one, other) => (one.name < other.name ? -1 : 1))
  url.search = [bare ?? [], ...named.map(({ written }) => written)].flat().join("&")
  return url
}

/**
 * The parameters of a link that tell one page from another, by the owner’s word, and the others. `written`: as the site
 * spells them, in its canonical addresses too: `id=aide:pret`.
 */
export function sortedParameters({ search }: URL, { parameters }: CrawlSettings) {
  const isWanted = ({ name }: { name: string }) =>
    parameters.some((each) => (each.endsWith("*") ? name.startsWith(each.slice(0, -1)) : name === each))
  const all = search
    .slice(1)
    .split("&")
    .flatMap((written) =>
      [...new URLSearchParams(written)].map(([name, value]) => ({ name, value, written })),
    )
  return { wanted: all.filter(isWanted), dropped: all.filter((each) => !isWanted(each)) }
}

/** A name with `*` at its end says which keys without value are wanted; without one, every such key is. */
function bareKey({ search }: URL, { parameters }: CrawlSettings): string | undefined {
  const key = search
    .slice(1)
    .split("&")
    .find((part) => /^[\w.~%-]{1,100}$/.test(part))
  const starts = parameters.filter((each) => each.endsWith("*")).map((each) => each.slice(0, -1))
  return key !== undefined && (starts.length === 0 || starts.some((start) => key.startsWith(start)))
    ? key
    : undefined
}

/** Judges addresses by their shape and by those seen before. */
export function trapFinder(): (url: URL) => Explanation | undefined {
  const counts = new Map<string, number>()
  const orders = new Map<string, string>()

  function isOver(key: string, most: number): boolean {
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count > most
  }

  return ({ host, pathname, search }) => {
    const segments = pathname.split("/").filter(Boolean)
    if (segments.length > maxSegments || repeats(segments)) return detail("reading.repeatedSegments")
    const withoutDate = dateless(segments)
    if (withoutDate !== undefined && isOver(`${host} ${withoutDate}`, maxDates))
      return detail("reading.calendar", { most: maxDates })
    // One parameter alone names pages; several are combined without end.
    if (search.includes("&") && isOver(`${host}${pathname}?`, maxQueries))
      return detail("reading.manyQueries", { most: maxQueries })
    if (segments.length < 4) return undefined
    // Filters that are combined in any order lead to the same things.
    const sorted = `${host}/${segments.toSorted().join("/")}`
    const first = orders.get(sorted) ?? pathname
    orders.set(sorted, first)
    return first.replace(/\/$/, "") === pathname.replace(/\/$/, "") ? undefined : detail("reading.facets")
  }
}

/** A segment three times, or two or more that follow themselves: links that are relative by mistake. */
function repeats(segments: readonly string[]): boolean {
  const counts = new Map<string, number>()
  for (const segment of segments) {
    const count = (counts.get(segment) ?? 0) + 1
    counts.set(segment, count)
    if (count > 2) return true
  }
  const pairs = segments.slice(1).map((segment, at) => `${segments[at]}/${segment}`)
  return pairs.some((pair, at) => pairs.indexOf(pair) < at - 1)
}

/** The path up to a year and month, or a whole date, at its end; undefined without one. */
function dateless(segments: readonly string[]): string | undefined {
  const dated = /^(.*?)\/(?:19|20)\d\d(?:[-/]\d\d?){1,2}$/.exec(`/${segments.join("/")}`)
  return dated?.[1]
}
