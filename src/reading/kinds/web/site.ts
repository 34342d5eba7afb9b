import { detail } from "../../../base/errors.ts"
import { namesOfUrl, type PagePatterns, pageFilter } from "../../page-patterns.ts"
import type { Parser } from "../../parser.ts"
import type { Frontier } from "../crawl/frontier.ts"
import type { FeedBase, ReadingRun, ReadingTools } from "../kind.ts"
import type { Limits } from "./network.ts"
import { leftOut, type ReadFailure, unreadable } from "./read-failure.ts"
import { openRobots, type Robots } from "./robots.ts"
import { openSiteFetcher, type SiteFetcher } from "./site-fetcher.ts"

/** The site of a feed while it is being read. */
export interface Site {
  /** Address of the feed itself. */
  start: URL
  fetcher: SiteFetcher
  robots: Robots
  /** Why the feed's own patterns leave a page out; undefined when they do not. */
  unwanted(url: URL): ReadFailure | undefined
  limits: Limits
  parser: Parser
  /** Whether plain text that links lead to is read: a pattern of the feed or its address names such files. */
  wantsText: boolean
  /** Addresses of the documents that each page links to, by its path; undefined where they are not to be read. */
  linked: Map<string, readonly string[]> | undefined
  /** Where links are followed: the pages that they led to. */
  frontier?: Frontier
  /** See `ReadingRun`. */
  onListed: ReadingRun["onListed"]
  /** See `Network`. */
  giveWay: AbortSignal | undefined
}

/**
 * A feed may lead to pages under its own origin and the declared ones. Throws Refusal when its address is no web
 * address.
 */
export function openSite(
  feed: FeedBase & PagePatterns & { documents?: boolean },
  { origins, network, parser }: ReadingTools,
  onListed?: ReadingRun["onListed"],
): Site {
  const { address, id, sealedHeaders, documents } = feed
  const start = URL.parse(address)
  if (!start || !/^https?:$/.test(start.protocol)) throw unreadable(address, detail("reading.notHttp"))
  const headers = sealedHeaders === undefined ? undefined : network.headersOf?.(id, sealedHeaders)
  const own = headers && { origin: start.origin, headers }
  const fetcher = openSiteFetcher([start.origin, ...origins], network, own)
  const { limits, giveWay } = network
  const filter = pageFilter(feed)
  const unwanted = (url: URL) => {
    const why = filter(namesOfUrl(url), url.origin)
    return why && leftOut(why)
  }
  const linked = documents ? new Map<string, readonly string[]>() : undefined
  const wantsText = [start.pathname, ...(feed.include ?? [])].some((name) => /\.txt$/i.test(name))
  const robots = openRobots(fetcher)
  return { start, fetcher, robots, unwanted, limits, parser, wantsText, linked, onListed, giveWay }
}
