import { detail } from "../../../base/errors.ts"
import type { Parser } from "../parser.ts"
import type { Limits, Network } from "./network.ts"
import { unreadable } from "./read-failure.ts"
import { robotsObjection } from "./robots.ts"
import { openSiteFetcher, type SiteFetcher, type SiteRequest } from "./site-fetcher.ts"

/** The site of a feed while it is being read. */
export interface Site {
  /** Address of the feed itself. */
  start: URL
  fetcher: SiteFetcher
  robots: NonNullable<SiteRequest["objection"]>
  limits: Limits
  parser: Parser
  /** See `Network`. */
  giveWay: AbortSignal | undefined
}

/**
 * A feed may lead to pages under its own origin and the given ones. Throws Refusal when its address is none
 * on the web.
 */
export function openSite(
  address: string,
  origins: readonly string[],
  network: Network,
  parser: Parser,
): Site {
  const start = URL.parse(address)
  if (!start || !/^https?:$/.test(start.protocol)) throw unreadable(address, detail("reading.notHttp"))
  const fetcher = openSiteFetcher([start.origin, ...origins], network)
  const { limits, giveWay } = network
  return { start, fetcher, robots: robotsObjection(fetcher), limits, parser, giveWay }
}
