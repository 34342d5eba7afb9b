import robotsParser, { type Robot } from "robots-parser"
import { secondMs } from "../../../base/clock.ts"
import { detail } from "../../../base/errors.ts"
import { maxUrlLength } from "../../../base/text.ts"
import { decodeText } from "../../../outbound/charset.ts"
import type { PageReading } from "../page-reading.ts"
import { robotName } from "./network.ts"
import { withoutNeedlessEscapes } from "./page-path.ts"
import { asReading, failureDetail, foreignHost, type ReadFailure, withPlace } from "./read-failure.ts"
import type { FetchedFile, SiteFetcher, SiteRequest } from "./site-fetcher.ts"

/** RFC 9309 (2.5) asks a robot to read at least as much; rules beyond it are ignored. */
const ruleBytes = 500 * 1024
const maxBytes = 10 * ruleBytes

/** The robots.txt of each origin, which is read once (RFC 9309). Its `Crawl-delay` slows the fetcher down. */
export interface Robots {
  /**
   * A missing robots.txt allows everything. While it cannot be read, every page of the origin has failed: none is
   * read, and none is left out for good.
   */
  objection: NonNullable<SiteRequest["objection"]>
  /** The sitemaps that this address's robots.txt names and the fetcher may ask for, and those that are not read. */
  sitemaps(of: URL, signal: AbortSignal): Promise<{ lists: URL[]; leftOut: PageReading[] } | ReadFailure>
}

export function openRobots(fetcher: SiteFetcher): Robots {
  const rulesByOrigin = new Map<string, Promise<Rules | ReadFailure>>()
  function siteRules({ origin }: URL, signal: AbortSignal): Promise<Rules | ReadFailure> {
    const reading = rulesByOrigin.get(origin) ?? readRules(origin, fetcher, signal)
    rulesByOrigin.set(origin, reading)
    return reading
  }
  return {
    async objection(url, signal) {
      const rules = await siteRules(url, signal)
      if ("outcome" in rules) return rules
      const path = comparablePath(url)
      if (rules.cost * path.length > maxSteps)
        return { outcome: "failed", detail: withPlace("robots.txt", detail("reading.tooManyRules")) }
      return rules.robot.isAllowed(url.origin + path, robotName) === false
        ? { outcome: "left_out", reason: "robots" }
        : undefined
    },
    async sitemaps(of, signal) {
      const rules = await siteRules(of, signal)
      if ("outcome" in rules) return rules
      const urls = rules.sitemaps.flatMap((text) => URL.parse(text, of.href) ?? [])
      const own = urls.filter(fetcher.admits)
      const [beyond] = own.slice(maxSitemaps)
      const others = urls.filter((url) => !fetcher.admits(url)).slice(0, maxSitemaps)
      const leftOut = others.map((url) => asReading(url.href, foreignHost(url)))
      const why = detail("reading.tooManySitemaps", { most: maxSitemaps })
      if (beyond) leftOut.push({ page: beyond.href, outcome: "left_out", reason: "limit", detail: why })
      return { lists: own.slice(0, maxSitemaps), leftOut }
    },
  }
}

/** Named by one robots.txt; each may list others. */
const maxSitemaps = 20

interface Rules {
  robot: Robot
  sitemaps: string[]
  /** Steps of the parser for each character of an address. */
  cost: number
}

/** Enough for 200 rules with wildcards, or 20,000 without, and the longest address there is. */
const maxSteps = 50_000_000

async function readRules(
  origin: string,
  fetcher: SiteFetcher,
  signal: AbortSignal,
): Promise<Rules | ReadFailure> {
  const address = new URL("/robots.txt", origin)
  const request = { method: "GET", accept: "text/plain,*/*;q=0.1", maxBytes } as const
  const reply = await fetcher.request(address, request, signal)
  if (!isMissing(reply) && reply.outcome !== "fetched")
    return { outcome: "failed", detail: withPlace("robots.txt", failureDetail(reply)) }
  const text = reply.outcome === "fetched" ? decodeText(reply.bytes.subarray(0, ruleBytes), "utf-8") : ""
  const { lines, sitemaps, cost } = groupsForUs(text)
  const robot = robotsParser(address.href, lines.join("\n"))
  const delaySeconds = robot.getCrawlDelay(robotName)
  if (delaySeconds !== undefined) fetcher.slowDown(address, delaySeconds * secondMs)
  return { robot, sitemaps, cost }
}

/**
 * The groups that name us or everybody (RFC 9309, 2.2.1), with each name once. The parser stores every rule
 * for every robot of its group, so thousands of robots and of rules would fill the memory.
 */
function groupsForUs(text: string): Pick<Rules, "sitemaps" | "cost"> & { lines: string[] } {
  const lines: string[] = []
  const sitemaps: string[] = []
  let names: string[] = []
  let isNaming = false
  let cost = 0
  for (const line of text.split(/\r\n|\r|\n/)) {
    const { key, value } = directive(line)
    if (key === "") continue
    const isRule = /^(?:allow|disallow|crawl-delay)$/.test(key)
    if (key === "sitemap" && value.length <= maxUrlLength) sitemaps.push(value)
    if (key === "user-agent") {
      // This line ends the group before it, which may have lost all its rules.
      if (!isNaming) lines.push("group:")
      if (!isNaming) names = []
      const name = (value.split("/")[0] as string).trim().toLowerCase()
      if ((name === robotName || name === "*") && !names.includes(name)) {
        names.push(name)
        lines.push(`user-agent: ${name}`)
      }
    } else if (names.length > 0 && isRule) {
      const pattern = comparablePattern(value)
      lines.push(`${key}: ${pattern}`)
      cost += pattern.includes("*") ? pattern.length : 1
    }
    // Records of others, such as `Sitemap`, end no group (RFC 9309, 2.2.4).
    if (key === "user-agent" || isRule) isNaming = key === "user-agent"
  }
  return { lines, sitemaps, cost }
}

/** The parser escapes further signs of a pattern, as `encodeURI` does. */
function comparablePattern(value: string): string {
  return withoutNeedlessEscapes(value)
    .replace(/\*+/g, "*")
    .replace(/\$(?!$)/g, "%24")
    .replaceAll("'", "%27")
}

/** An address keeps brackets and other signs that the parser escapes in a pattern; its `*` and `$` are only signs. */
function comparablePath({ pathname, search }: URL): string {
  return encodeURI(withoutNeedlessEscapes(pathname + search))
    .replaceAll("%25", "%")
    .replace(/[*$']/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

function directive(line: string): { key: string; value: string } {
  const text = line.split("#", 1)[0] as string
  const colon = text.indexOf(":")
  if (colon === -1) return { key: "", value: "" }
  return { key: text.slice(0, colon).trim().toLowerCase(), value: text.slice(colon + 1).trim() }
}

/** Any 4xx but "too many requests" means no robots.txt (2.3.1.3). So does a redirect to another site. */
function isMissing(reply: FetchedFile | ReadFailure): boolean {
  if (reply.outcome === "gone") return true
  if (reply.outcome === "left_out") return reply.reason === "foreign_host"
  const { status = 500 } = reply.outcome === "failed" ? reply : {}
  return status < 500 && status !== 429
}
