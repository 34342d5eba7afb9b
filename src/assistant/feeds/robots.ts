import robotsParser, { type Robot } from "robots-parser"
import { secondMs } from "../../clock.ts"
import { decodeText } from "./charset.ts"
import type { Door, Fetched } from "./door.ts"
import { robotName } from "./network.ts"
import { detailOf, type Unread } from "./unread.ts"

/** What RFC 9309 (2.5) asks a robot to read at least; the rules beyond are ignored. */
const ruleBytes = 500 * 1024
const maxBytes = 10 * ruleBytes

/**
 * Asks each origin's robots.txt, read once, whether an address may be read (RFC 9309). A missing one allows everything; while
 * one cannot be had nothing is read, and nothing is left out for good either. Its `Crawl-delay` slows the door down.
 */
export function robotsObjection(door: Door): (url: URL, signal: AbortSignal) => Promise<Unread | undefined> {
  const rulesOf = new Map<string, Promise<Robot | Unread>>()
  return async (url, signal) => {
    let reading = rulesOf.get(url.origin)
    if (!reading) {
      reading = readRules(url.origin, door, signal)
      rulesOf.set(url.origin, reading)
    }
    const rules = await reading
    if ("outcome" in rules) return rules
    return rules.isAllowed(url.href, robotName) === false
      ? { outcome: "left_out", reason: "robots" }
      : undefined
  }
}

async function readRules(origin: string, door: Door, signal: AbortSignal): Promise<Robot | Unread> {
  const address = new URL("/robots.txt", origin)
  const found = await door.visit(address, { method: "GET", accept: "text/plain,*/*;q=0.1", maxBytes }, signal)
  if (!isMissing(found) && found.outcome !== "fetched")
    return { outcome: "failed", detail: `robots.txt: ${detailOf(found)}` }
  const text = found.outcome === "fetched" ? decodeText(found.bytes.subarray(0, ruleBytes), "utf-8") : ""
  const rules = robotsParser(address.href, text)
  const delaySeconds = rules.getCrawlDelay(robotName)
  if (delaySeconds !== undefined) door.slowDown(address, delaySeconds * secondMs)
  return rules
}

/** Any 4xx but "too many requests" says that there is none for us (2.3.1.3), and so does a redirect to another site. */
function isMissing(found: Fetched | Unread): boolean {
  if (found.outcome === "gone") return true
  if (found.outcome === "left_out") return found.reason === "foreign_host"
  const { status = 500 } = found.outcome === "failed" ? found : {}
  return status < 500 && status !== 429
}
