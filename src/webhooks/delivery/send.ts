import { constants } from "node:crypto"
import packageFile from "../../../package.json" with { type: "json" }
import { type Clock, secondMs } from "../../base/clock.ts"
import type { Outcome } from "../../db/tables/webhooks.ts"
import { originOfTarget, type Resolve, type Target } from "../../outbound/resolve.ts"
import { openTimeLimit } from "../../outbound/time-limit.ts"
import { type AcceptedAddress, type AddressRule, judgeAddress } from "../endpoints/address.ts"
import { sign } from "../endpoints/signature.ts"
import { excerptOf } from "./excerpt.ts"
import type { Recipient } from "./recipient.ts"

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
const unreachable = ["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL"]

/**
 * Bun keeps 64 idle connections for one TLS configuration and closes the others, so that the next attempts pay for a handshake each.
 * Three configurations that mean the same keep three times as many: only servers heed the one option, only DTLS the other.
 */
const configurations = [
  {},
  { secureOptions: constants.SSL_OP_CIPHER_SERVER_PREFERENCE },
  { secureOptions: constants.SSL_OP_NO_QUERY_MTU },
]
export const keptConnections = 64 * configurations.length

/** The connections of one configuration. */
interface Pool {
  /** Its place among the configurations. */
  number: number
  /** Requests under way. */
  busy: number
  /** By target. */
  lastUseMs: Map<string, number>
}

const userAgent = `Guichet/${packageFile.version}`

/** Below what servers commonly keep an idle connection for. */
const reuseWithinMs = 2 * secondMs
const maxTargetsKept = 10_000

/**
 * The only door for requests to customers' addresses. Every attempt judges the text, resolves the name anew, judges every
 * answer and connects to one of those very addresses, with the certificate checked against the name. No redirect, no
 * proxy of the environment, no decompression.
 */
export function openSend({ clock, resolve, ownHost, ca, timeoutMs = answerTimeoutMs }: SendOptions): Send {
  const timeLimit = openTimeLimit(timeoutMs)
  const pools = configurations.map(
    (_configuration, number): Pool => ({ number, busy: 0, lastUseMs: new Map() }),
  )
  const judged = new Map<string, Place | { refused: AddressRule }>()

  /** The same text is judged the same for ever: judging it anew took a fifth of the time it takes to send. */
  function judge(url: string): Place | { refused: AddressRule } {
    const known = judged.get(url)
    if (known) return known
    const judgement = placeOf(judgeAddress(url, ownHost), ca)
    if (judged.size >= maxTargetsKept) judged.clear()
    judged.set(url, judgement)
    return judgement
  }

  /**
   * The answer of the first target that can be reached, or the error of the last one tried.
   *
   * Many servers end a connection after an answer without a word, or have something left to say over it: that is no failure of what is
   * asked next, which a new connection asks again. Should it have been read all the same, it comes twice, as it would by the next attempt.
   */
  async function post(
    targets: readonly Target[],
    { host, path, tls }: Place,
    keys: readonly Uint8Array[],
    messageId: string,
    body: Uint8Array,
    signal: AbortSignal,
  ): Promise<Response | { code: string }> {
    const pool = pools.reduce((one, other) => (other.busy < one.busy ? other : one))
    let failure = { code: "" }
    pool.busy++
    try {
      for (const target of targets.slice(0, maxTargetsTried)) {
        const sentAtSeconds = Math.floor(clock.now() / secondMs)
        const headers = {
          host,
          "content-type": "application/json",
          "user-agent": userAgent,
          "webhook-id": messageId,
          "webhook-timestamp": String(sentAtSeconds),
          "webhook-signature": sign(keys, messageId, sentAtSeconds, body),
        }
        for (const keepalive of isFresh(pool, `${host} ${target.ip}`) ? [true, false] : [false]) {
          try {
            return await fetch(originOfTarget(target) + path, {
              method: "POST",
              body,
              headers,
              tls: tls[pool.number],
              redirect: "manual",
              // Only `false` keeps fetch from HTTPS_PROXY and its kin.
              proxy: false,
              decompress: false,
              keepalive,
              signal,
            } as BunFetchRequestInit)
          } catch (error) {
            failure = { code: String((error as { code?: unknown }).code) }
            if (signal.aborted) return failure
          }
        }
        if (!unreachable.includes(failure.code)) return failure
      }
      return failure
    } finally {
      pool.busy--
    }
  }

  /** Whether a connection of this target, if one is kept, is young enough to be used again. */
  function isFresh({ lastUseMs }: Pool, key: string): boolean {
    const nowMs = performance.now()
    const idleMs = nowMs - (lastUseMs.get(key) ?? Number.NEGATIVE_INFINITY)
    // Names whose addresses change all day would otherwise add to it for ever.
    if (lastUseMs.size >= maxTargetsKept) lastUseMs.clear()
    lastUseMs.set(key, nowMs)
    return idleMs < reuseWithinMs
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
      const response = await post(resolution.targets, place, keys, messageId, body, signal)
      if (!(response instanceof Response)) return sent(signal.aborted ? "timeout" : outcomeOf(response))
      // Many answers have none.
      const excerpt = response.body && (await excerptOf(response.body, response.headers))
      return sent(response.ok ? "delivered" : "http_status", response.status, excerpt)
    } finally {
      timeLimit.end(limited)
    }
  }
}

/** What of an accepted address a request needs. */
interface Place {
  host: string
  /** With the query. */
  path: string
  /** One for each configuration. */
  tls: object[]
}

function placeOf(
  judgement: AcceptedAddress | { refused: AddressRule },
  ca: string | undefined,
): Place | { refused: AddressRule } {
  if ("refused" in judgement) return judgement
  const { host, href } = judgement
  const { pathname, search } = new URL(href)
  const checked = { serverName: host, rejectUnauthorized: true, ...(ca !== undefined && { ca }) }
  const tls = configurations.map((configuration) => ({ ...checked, ...configuration }))
  return { host, path: pathname + search, tls }
}

/** What Bun's fetch calls a failure, in the words of the attempt's record. */
function outcomeOf({ code }: { code: string }): Outcome {
  if (/CERT|TLS|SSL|EPROTO|ISSUER|SIGNATURE|CRL/.test(code)) return "tls"
  // Errno names are all capitals; fetch's own names for a malformed answer are not.
  return /[a-z]/.test(code) ? "protocol" : "connection"
}
