import packageFile from "../../package.json" with { type: "json" }
import { type Clock, secondMs } from "../clock.ts"
import type { Outcome } from "../db/tables/webhooks.ts"
import { type AcceptedAddress, type AddressRule, judgeAddress } from "./address.ts"
import { excerptOf } from "./excerpt.ts"
import { originOfTarget, type Resolve, type Target } from "./resolve.ts"
import { sign } from "./signature.ts"

/** What one attempt carries, and where. */
export interface Shipment {
  /** The endpoint's address, as it is stored. */
  url: string
  messageId: string
  /** What is signed and sent, to the byte. */
  body: Uint8Array
  /** The current secret first; each signs. */
  secrets: readonly string[]
}

export interface Sent {
  outcome: Outcome
  /** HTTP status; null when there was no answer. */
  status: number | null
  durationMs: number
  /** The beginning of the answer's body as text; null when there was none. */
  excerpt: string | null
}

/** Makes one attempt. Never rejects: whatever happens is an outcome. */
export type Send = (shipment: Shipment) => Promise<Sent>

export interface SendOptions {
  clock: Clock
  resolve: Resolve
  /** Host of this service, which it does not call. */
  ownHost: string
  /** PEM of the one authority to trust instead of the system's; for tests and demonstrations. */
  ca: string | undefined
  timeoutMs: number | undefined
}

/** Specification, part 4 B: "Any 2xx status within 10 seconds": resolution, connection, TLS and headers together. */
export const answerTimeoutMs = 10 * secondMs

/** A name may have many addresses; only those that cannot be reached at all lead to the next. */
const maxTargetsTried = 3
const unreachable = ["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL"]

/**
 * Below what servers commonly keep an idle connection for: one that the other side is closing at this very moment would
 * cost an attempt, and sending twice is not ours to decide.
 */
const reuseWithinMs = 2 * secondMs
const maxTargetsKept = 10_000

/**
 * The only door for requests to customers' addresses. Every attempt judges the text, resolves the name anew, judges every
 * answer and connects to one of those very addresses, with the certificate checked against the name. No redirect, no
 * proxy of the environment, no decompression.
 */
export function openSend({ clock, resolve, ownHost, ca, timeoutMs = answerTimeoutMs }: SendOptions): Send {
  const lastUseMs = new Map<string, number>()
  const judged = new Map<string, Place | { refused: AddressRule }>()

  async function attempt(shipment: Shipment, signal: AbortSignal): Promise<Omit<Sent, "durationMs">> {
    const address = judge(shipment.url)
    if ("refused" in address) return unanswered("private_address")
    const resolution = await resolve(address.host, signal)
    if ("outcome" in resolution) return unanswered(resolution.outcome)
    const response = await firstAnswer(resolution.targets, (target) =>
      post(target, address, shipment, signal),
    )
    if (!(response instanceof Response)) return unanswered(signal.aborted ? "timeout" : outcomeOf(response))
    const { status } = response
    const outcome = status >= 200 && status <= 299 ? "delivered" : "http_status"
    return { outcome, status, excerpt: await excerptOf(response) }
  }

  /** The same text is judged the same for ever: judging it anew took a fifth of the time it takes to send. */
  function judge(url: string): Place | { refused: AddressRule } {
    const known = judged.get(url)
    if (known) return known
    const judgement = placeOf(judgeAddress(url, ownHost))
    if (judged.size >= maxTargetsKept) judged.clear()
    judged.set(url, judgement)
    return judgement
  }

  function post(
    target: Target,
    { path, host }: Place,
    { messageId, body, secrets }: Shipment,
    signal: AbortSignal,
  ): Promise<Response> {
    const sentAtSeconds = Math.floor(clock.now() / secondMs)
    return fetch(originOfTarget(target) + path, {
      method: "POST",
      body,
      headers: {
        host,
        "content-type": "application/json",
        "user-agent": `Guichet/${packageFile.version}`,
        "webhook-id": messageId,
        "webhook-timestamp": String(sentAtSeconds),
        "webhook-signature": sign(secrets, messageId, sentAtSeconds, body),
      },
      tls: { serverName: host, rejectUnauthorized: true, ...(ca !== undefined && { ca }) },
      redirect: "manual",
      // Only `false` keeps fetch from HTTPS_PROXY and its kin.
      proxy: false,
      decompress: false,
      keepalive: isFresh(`${host} ${target.ip}`),
      signal,
    } as BunFetchRequestInit)
  }

  /** Whether a connection of this target, if one is kept, is young enough to be used again. */
  function isFresh(key: string): boolean {
    const nowMs = performance.now()
    const idleMs = nowMs - (lastUseMs.get(key) ?? Number.NEGATIVE_INFINITY)
    // Names whose addresses change all day would otherwise add to it for ever.
    if (lastUseMs.size >= maxTargetsKept) lastUseMs.clear()
    lastUseMs.set(key, nowMs)
    return idleMs < reuseWithinMs
  }

  return async (shipment) => {
    const startedMs = performance.now()
    // Not AbortSignal.timeout: it stays for its whole time, and thousands of attempts a second would pile up.
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), timeoutMs)
    try {
      const sent = await attempt(shipment, limit.signal)
      return { ...sent, durationMs: Math.round(performance.now() - startedMs) }
    } finally {
      clearTimeout(timer)
    }
  }
}

/** What of an accepted address a request needs. */
interface Place {
  host: string
  /** With the query. */
  path: string
}

function placeOf(judgement: AcceptedAddress | { refused: AddressRule }): Place | { refused: AddressRule } {
  if ("refused" in judgement) return judgement
  const { pathname, search } = new URL(judgement.href)
  return { host: judgement.host, path: pathname + search }
}

/** The answer of the first target that can be reached, or the error of the last one tried. */
async function firstAnswer(
  targets: readonly Target[],
  post: (target: Target) => Promise<Response>,
): Promise<Response | { code: string }> {
  let failure = { code: "" }
  for (const target of targets.slice(0, maxTargetsTried)) {
    try {
      return await post(target)
    } catch (error) {
      failure = { code: String((error as { code?: unknown }).code) }
      if (!unreachable.includes(failure.code)) return failure
    }
  }
  return failure
}

/** What Bun's fetch calls a failure, in the words of the attempt's record. */
function outcomeOf({ code }: { code: string }): Outcome {
  if (/CERT|TLS|SSL|EPROTO|ISSUER|SIGNATURE|CRL/.test(code)) return "tls"
  // Errno names are all capitals; fetch's own names for a malformed answer are not.
  return /[a-z]/.test(code) ? "protocol" : "connection"
}

function unanswered(outcome: Outcome): Omit<Sent, "durationMs"> {
  return { outcome, status: null, excerpt: null }
}
