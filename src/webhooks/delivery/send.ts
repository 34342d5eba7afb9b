import { constants } from "node:crypto"
import { LRUCache } from "lru-cache"
import packageFile from "../../../package.json" with { type: "json" }
import { type Clock, secondMs } from "../../base/clock.ts"
import type { Outcome } from "../../db/tables/webhooks.ts"
import { originOfTarget, type Resolve, type Target } from "../../outbound/resolve.ts"
import { openTimeLimit } from "../../outbound/time-limit.ts"
import { type AcceptedAddress, type AddressRule, judgeAddress } from "../endpoints/address.ts"
import { sign } from "../endpoints/signature.ts"
import { excerptOf } from "./excerpt.ts"
import type { AttemptResult, Recipient } from "./queue.ts"

export type SendResult = Pick<AttemptResult, "outcome" | "status" | "durationMs" | "responseExcerpt">

/** Makes one attempt: signs exactly these bytes and sends them. Never rejects: a failure is an outcome. */
export type Send = (recipient: Recipient, messageId: string, body: Uint8Array) => Promise<SendResult>

export interface SendOptions {
  clock: Clock
  resolve: Resolve
  /** The host of this service, which must not call itself. */
  ownHost: string
  /** PEM of the only authority to trust, instead of the system's: for tests and demonstrations. */
  ca: string | undefined
  timeoutMs: number | undefined
}

/** Specification, part 4 B: "Any 2xx status within 10 seconds", from resolution to headers. */
export const answerTimeoutMs = 10 * secondMs

/** A name may have many addresses. The next one is tried only if a connection could not be made at all. */
const maxTargetsTried = 3
const unreachableCodes = ["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL"]

/**
 * Bun keeps 64 idle connections for each TLS configuration. These three mean the same to a TLS client, since
 * one option is for servers and the other for DTLS, and together keep 192 connections: decision "pinned TLS
 * connections".
 */
const tlsConfigurations = [
  {},
  { secureOptions: constants.SSL_OP_CIPHER_SERVER_PREFERENCE },
  { secureOptions: constants.SSL_OP_NO_QUERY_MTU },
]
export const keptConnections = 64 * tlsConfigurations.length

/** The connections of one TLS configuration. */
interface Pool {
  /** Index of the configuration. */
  index: number
  inFlight: number
  /** By host and address, by a clock that does not leap. */
  lastUseMs: LRUCache<string, number>
}

const userAgent = `Guichet/${packageFile.version}`

/** Servers commonly keep an idle connection for longer. */
const reuseWithinMs = 2 * secondMs
const maxRemembered = 10_000

/**
 * The only place that sends requests to customers' addresses. Every attempt judges the text of the address,
 * resolves the name, judges every answer, and connects to one of the judged addresses with the certificate
 * checked against the name. It follows no redirect, uses no proxy of the environment, and decompresses
 * nothing.
 */
export function openSend({ clock, resolve, ownHost, ca, timeoutMs = answerTimeoutMs }: SendOptions): Send {
  const timeLimit = openTimeLimit(timeoutMs)
  const pools = tlsConfigurations.map(
    (_configuration, index): Pool => ({
      index,
      inFlight: 0,
      lastUseMs: new LRUCache({ max: maxRemembered }),
    }),
  )
  const judged = new LRUCache<string, Destination | { refused: AddressRule }>({ max: maxRemembered })

  /** The judgement of a text never changes, and takes a fifth as long as sending. */
  function judge(url: string): Destination | { refused: AddressRule } {
    const known = judged.get(url)
    if (known) return known
    const judgement = destinationOf(judgeAddress(url, ownHost), ca)
    judged.set(url, judgement)
    return judgement
  }

  /**
   * The answer of the first target that can be reached, or the error of the last one tried.
   *
   * Many servers close a kept connection unannounced. A request that fails over a kept connection is
   * therefore repeated over a new one. The endpoint may get it twice, as with any repeated attempt.
   */
  async function post(
    targets: readonly Target[],
    { host, path, tls }: Destination,
    keys: readonly Uint8Array[],
    messageId: string,
    body: Uint8Array,
    signal: AbortSignal,
  ): Promise<Response | { code: string }> {
    const pool = pools.reduce((one, other) => (other.inFlight < one.inFlight ? other : one))
    let failure = { code: "" }
    pool.inFlight++
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
              tls: tls[pool.index],
              redirect: "manual",
              // Without `false`, fetch obeys HTTPS_PROXY and the like.
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
        if (!unreachableCodes.includes(failure.code)) return failure
      }
      return failure
    } finally {
      pool.inFlight--
    }
  }

  /** Whether a kept connection to this target may be used again. Notes the use. */
  function isFresh({ lastUseMs }: Pool, key: string): boolean {
    const nowMs = performance.now()
    const idleMs = nowMs - (lastUseMs.get(key) ?? Number.NEGATIVE_INFINITY)
    // Names whose addresses change all day would otherwise fill the memory.
    lastUseMs.set(key, nowMs)
    return idleMs < reuseWithinMs
  }

  return async ({ url, keys }, messageId, body) => {
    const startedMs = performance.now()
    const controller = timeLimit.start()
    const { signal } = controller
    function result(outcome: Outcome, status: number | null = null, responseExcerpt: string | null = null) {
      return { outcome, status, responseExcerpt, durationMs: Math.round(performance.now() - startedMs) }
    }
    try {
      const destination = judge(url)
      if ("refused" in destination) return result("private_address")
      const resolution = await resolve(destination.host, signal)
      if ("outcome" in resolution) return result(resolution.outcome)
      const response = await post(resolution.targets, destination, keys, messageId, body, signal)
      if (!(response instanceof Response)) return result(signal.aborted ? "timeout" : outcomeOf(response))
      const excerpt = response.body && (await excerptOf(response.body, response.headers))
      return result(response.ok ? "delivered" : "http_status", response.status, excerpt)
    } finally {
      timeLimit.end(controller)
    }
  }
}

/** An accepted address, as a request needs it. */
interface Destination {
  host: string
  /** With the query. */
  path: string
  /** By the index of the configuration. */
  tls: object[]
}

function destinationOf(
  judgement: AcceptedAddress | { refused: AddressRule },
  ca: string | undefined,
): Destination | { refused: AddressRule } {
  if ("refused" in judgement) return judgement
  const { host, href } = judgement
  const { pathname, search } = new URL(href)
  const checked = { serverName: host, rejectUnauthorized: true, ...(ca !== undefined && { ca }) }
  const tls = tlsConfigurations.map((configuration) => ({ ...checked, ...configuration }))
  return { host, path: pathname + search, tls }
}

/** The outcome for an error code of Bun's fetch. */
function outcomeOf({ code }: { code: string }): Outcome {
  if (/CERT|TLS|SSL|EPROTO|ISSUER|SIGNATURE|CRL/.test(code)) return "tls"
  // Codes of the system are all capitals. Bun's own codes for a malformed answer are not.
  return /[a-z]/.test(code) ? "protocol" : "connection"
}
