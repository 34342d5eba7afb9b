import robotsParser, { type Robot } from "robots-parser"
import { secondMs } from "../../../base/clock.ts"
import { detail } from "../../../base/errors.ts"
import { decodeText } from "./charset.ts"
import type { Door, Fetched } from "./door.ts"
import { robotName } from "./network.ts"
import { detailOf, placed, type Unread } from "./unread.ts"

/** What RFC 9309 (2.5) asks a robot to read at least; the rules beyond are ignored. */
const ruleBytes = 500 * 1024
const maxBytes = 10 * ruleBytes

/**
 * Asks each origin's robots.txt, read once, whether an address may be read (RFC 9309). A missing one allows
 * everything; while one cannot be had nothing is read, and nothing is left out for good either. Its
 * `Crawl-delay` slows the door down.
 */
export function robotsObjection(door: Door): (url: URL, signal: AbortSignal) => Promise<Unread | undefined> {
  const rulesOf = new Map<string, Promise<Rules | Unread>>()
  return async (url, signal) => {
    let reading = rulesOf.get(url.origin)
    if (!reading) {
      reading = readRules(url.origin, door, signal)
      rulesOf.set(url.origin, reading)
    }
    const rules = await reading
    if ("outcome" in rules) return rules
    if (rules.cost * (url.pathname.length + url.search.length) > maxSteps)
      return { outcome: "failed", detail: placed("robots.txt", detail("reading.tooManyRules")) }
    return rules.robot.isAllowed(url.href, robotName) === false
      ? { outcome: "left_out", reason: "robots" }
      : undefined
  }
}

interface Rules {
  robot: Robot
  /** Steps that it takes to judge an address, for each character of it. */
  cost: number
}

/** Some fifty milliseconds: 200 rules with wildcards, or 20,000 without, and the longest address there is. */
const maxSteps = 50_000_000

async function readRules(origin: string, door: Door, signal: AbortSignal): Promise<Rules | Unread> {
  const address = new URL("/robots.txt", origin)
  const found = await door.visit(address, { method: "GET", accept: "text/plain,*/*;q=0.1", maxBytes }, signal)
  if (!isMissing(found) && found.outcome !== "fetched")
    return { outcome: "failed", detail: placed("robots.txt", detailOf(found)) }
  const text = found.outcome === "fetched" ? decodeText(found.bytes.subarray(0, ruleBytes), "utf-8") : ""
  const { lines, cost } = groupsForUs(text)
  const robot = robotsParser(address.href, lines.join("\n"))
  const delaySeconds = robot.getCrawlDelay(robotName)
  if (delaySeconds !== undefined) door.slowDown(address, delaySeconds * secondMs)
  return { robot, cost }
}

/**
 * The groups that name us or everybody (RFC 9309, 2.2.1), each once. The parser stores every rule for every
 * robot of its group: of thousands of each, that is more than there is memory.
 */
function groupsForUs(text: string): { lines: string[]; cost: number } {
  const lines: string[] = []
  let names: string[] = []
  let isNaming = false
  let cost = 0
  for (const line of text.split(/\r\n|\r|\n/)) {
    const { key, value } = directive(line)
    if (key === "") continue
    if (key === "user-agent") {
      // The line in between ends the group before, which may have had no rule that is kept.
      if (!isNaming) lines.push("group:")
      if (!isNaming) names = []
      const name = (value.split("/")[0] as string).trim().toLowerCase()
      if ((name === robotName || name === "*") && !names.includes(name)) {
        names.push(name)
        lines.push(`user-agent: ${name}`)
      }
    } else if (names.length > 0 && /^(?:allow|disallow|crawl-delay)$/.test(key)) {
      const pattern = value.replace(/\*+/g, "*")
      lines.push(`${key}: ${pattern}`)
      cost += pattern.includes("*") ? pattern.length : 1
    }
    isNaming = key === "user-agent"
  }
  return { lines, cost }
}

function directive(line: string): { key: string; value: string } {
  const said = line.split("#", 1)[0] as string
  const colon = said.indexOf(":")
  if (colon === -1) return { key: "", value: "" }
  return { key: said.slice(0, colon).trim().toLowerCase(), value: said.slice(colon + 1).trim() }
}

/**
 * Any 4xx but "too many requests" says that there is none for us (2.3.1.3), and so does a redirect to another
 * site.
 */
function isMissing(found: Fetched | Unread): boolean {
  if (found.outcome === "gone") return true
  if (found.outcome === "left_out") return found.reason === "foreign_host"
  const { status = 500 } = found.outcome === "failed" ? found : {}
  return status < 500 && status !== 429
}
