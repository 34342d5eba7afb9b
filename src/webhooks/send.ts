import packageFile from "../../package.json" with { type: "json" }
import { type Clock, secondMs } from "../clock.ts"
import type { Outcome } from "../db/tables/webhooks.ts"
import { type AcceptedAddress, type AddressRule, judgeAddress } from "./address.ts"
import type { Answer } from "./answer.ts"
import type { Failure } from "./connection.ts"
import { openConnections } from "./connections.ts"
import { excerptOf } from "./excerpt.ts"
import type { Recipient } from "./recipient.ts"
import type { Resolve, Target } from "./resolve.ts"
import { sign } from "./signature.ts"
import { openTimeLimit } from "./time-limit.ts"

export interface Sent {
  outcome: Outcome
  /** HTTP status; null when there was no answer. */
  status: number | null
  durationMs: number
  /** The beginning of the answer's body as text; null when there was none. */
  excerpt: string | null
}

/**
 * Makes one attempt: signs these very bytes and sends them, to the endpoint as it is given. Never rejects: whatever happens is an
 * outcome.
 */
export type Send = (
  recipient: Pick<Recipient, "url" | "keys">,
  messageId: string,
  body: Uint8Array,
) => Promise<Sent>

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
const maxPlacesKept = 10_000

/**
 * The only door for requests to customers' addresses. Every attempt judges the text, resolves the name anew, judges every
 * answer and connects to one of those very addresses, with the certificate checked against the name. No redirect is followed.
 */
export function openSend({ clock, resolve, ownHost, ca, timeoutMs = answerTimeoutMs }: SendOptions): Send {
  const timeLimit = openTimeLimit(timeoutMs)
  const connections = openConnections(ca)
  const judged = new Map<string, Place | { refused: AddressRule }>()

  /** The same text is judged the same for ever: judging it anew took a fifth of the time it takes to send. */
  function judge(url: string): Place | { refused: AddressRule } {
    const known = judged.get(url)
    if (known) return known
    const judgement = placeOf(judgeAddress(url, ownHost))
    if (judged.size >= maxPlacesKept) judged.clear()
    judged.set(url, judgement)
    return judgement
  }

  function requestTo(
    { head }: Place,
    keys: readonly Uint8Array[],
    messageId: string,
    body: Uint8Array,
  ): Uint8Array {
    const sentAtSeconds = Math.floor(clock.now() / secondMs)
    const fields =
      `${head}content-length: ${body.length}\r\nwebhook-id: ${messageId}\r\nwebhook-timestamp: ${sentAtSeconds}\r\n` +
      `webhook-signature: ${sign(keys, messageId, sentAtSeconds, body)}\r\n\r\n`
    const request = Buffer.allocUnsafe(fields.length + body.length)
    request.write(fields, "latin1")
    request.set(body, fields.length)
    return request
  }

  return async ({ url, keys }, messageId, body) => {
    const startedMs = performance.now()
    const limited = timeLimit.start()
    const { signal } = limited
    function sent(outcome: Outcome, status: number | null = null, excerpt: string | null = null): Sent {
      return { outcome, status, excerpt, durationMs: Math.round(performance.now() - startedMs) }
    }
    try {
      const place = judge(url)
      if ("refused" in place) return sent("private_address")
      const resolution = await resolve(place.host, signal)
      if ("outcome" in resolution) return sent(resolution.outcome)
      const request = requestTo(place, keys, messageId, body)
      const answered = await firstAnswer(resolution.targets, (target) =>
        connections.exchange(target, place.host, request, signal),
      )
      if ("outcome" in answered) return sent(answered.outcome)
      const { status } = answered
      return sent(status < 300 ? "delivered" : "http_status", status, excerptOf(answered))
    } finally {
      timeLimit.end(limited)
    }
  }
}

/** What of an accepted address a request needs. */
interface Place {
  host: string
  /** How every request to it begins. */
  head: string
}

function placeOf(judgement: AcceptedAddress | { refused: AddressRule }): Place | { refused: AddressRule } {
  if ("refused" in judgement) return judgement
  const { host, href } = judgement
  const { pathname, search } = new URL(href)
  const fields = [
    `POST ${pathname}${search} HTTP/1.1`,
    `host: ${host}`,
    "accept: */*",
    "content-type: application/json",
    `user-agent: Guichet/${packageFile.version}`,
  ]
  return { host, head: fields.map((field) => `${field}\r\n`).join("") }
}

/** The answer of the first target that can be reached, or why the last one tried gave none. */
async function firstAnswer(
  [target, ...others]: readonly Target[],
  exchange: (target: Target) => Promise<Answer | Failure>,
  triesLeft: number = maxTargetsTried,
): Promise<Answer | Failure> {
  const answered = await exchange(target as Target)
  const isLast = others.length === 0 || triesLeft === 1
  if (isLast || !("outcome" in answered) || !answered.isUnreachable) return answered
  return firstAnswer(others, exchange, triesLeft - 1)
}
