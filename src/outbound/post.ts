import { constants } from "node:crypto"
import { LRUCache } from "lru-cache"
import { secondMs } from "../base/clock.ts"
import { type FetchFailure, fetchFailure, type PinnedTls, pinnedFetch, pinnedTls } from "./pinned-fetch.ts"
import type { Target } from "./resolve.ts"

/** An accepted https address, as a request needs it. */
export interface Destination {
  host: string
  /** With the query. */
  path: string
  /** By the index of the configuration. */
  tls: PinnedTls[]
}

export interface PostRequest {
  /** Called for each target, so that a signature carries the time of sending. `host` is added. */
  newHeaders(): Record<string, string>
  body: Uint8Array
  signal: AbortSignal
}

/**
 * The answer of the first target that can be reached, or the failure of the last one tried. Never rejects.
 *
 * Many servers close a kept connection unannounced. A request that fails over a kept connection is therefore
 * repeated over a new one, so a server may get it twice.
 */
export type Post = (
  targets: readonly Target[],
  destination: Destination,
  request: PostRequest,
) => Promise<Response | FetchFailure>

/** A name may have many addresses. The next one is tried only if a connection could not be made at all. */
const maxTargetsTried = 3
const unreachable = ["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL"]

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

/** Servers commonly keep an idle connection for longer. */
const reuseWithinMs = 2 * secondMs
/** Names whose addresses change all day would otherwise fill the memory. */
const maxRemembered = 10_000

/** `href`: an https address that was accepted. `ca`: see `PinnedTls`. */
export function destinationOf(href: string, ca: string | undefined): Destination {
  const { hostname, pathname, search } = new URL(href)
  const checked = pinnedTls(hostname, ca)
  const tls = tlsConfigurations.map((configuration) => ({ ...checked, ...configuration }))
  return { host: hostname, path: pathname + search, tls }
}

/** The connections of one TLS configuration. */
interface Pool {
  /** Index of the configuration. */
  index: number
  inFlight: number
  /** By host and address, by a clock that does not leap. */
  lastUseMs: LRUCache<string, number>
}

/** Keeps the connections of thousands of requests a second. Each request takes the least busy pool. */
export function openPost(): Post {
  const pools = tlsConfigurations.map(
    (_configuration, index): Pool => ({
      index,
      inFlight: 0,
      lastUseMs: new LRUCache({ max: maxRemembered }),
    }),
  )
  return async (targets, { host, path, tls }, { newHeaders, body, signal }) => {
    const pool = pools.reduce((one, other) => (other.inFlight < one.inFlight ? other : one))
    const pinned = tls[pool.index] as PinnedTls
    let failure: FetchFailure = { outcome: "connection", cause: "" }
    pool.inFlight++
    try {
      for (const target of targets.slice(0, maxTargetsTried)) {
        const headers = { host, ...newHeaders() }
        for (const keepalive of isFresh(pool, `${host} ${target.ip}`) ? [true, false] : [false]) {
          try {
            const request = { method: "POST", headers, body, tls: pinned, keepalive, signal } as const
            return await pinnedFetch("https:", target, path, request)
          } catch (error) {
            failure = fetchFailure(error)
            if (signal.aborted) return failure
          }
        }
        if (!unreachable.includes(failure.cause)) return failure
      }
      return failure
    } finally {
      pool.inFlight--
    }
  }
}

/** Whether a kept connection to this target may be used again. Notes the use. */
function isFresh({ lastUseMs }: Pool, key: string): boolean {
  const nowMs = performance.now()
  const idleMs = nowMs - (lastUseMs.get(key) ?? Number.NEGATIVE_INFINITY)
  lastUseMs.set(key, nowMs)
  return idleMs < reuseWithinMs
}
