import { detail } from "../../../base/errors.ts"
import type { Parser } from "../parser.ts"
import { type Door, openDoor, type Visit } from "./door.ts"
import type { Limits, Network } from "./network.ts"
import { robotsObjection } from "./robots.ts"
import { unreadable } from "./unread.ts"

/** The site of a feed while it is being read. */
export interface Site {
  /** Address of the feed itself. */
  start: URL
  door: Door
  robots: NonNullable<Visit["objection"]>
  limits: Limits
  parser: Parser
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
  const door = openDoor([start.origin, ...origins], network)
  return { start, door, robots: robotsObjection(door), limits: network.limits, parser }
}
