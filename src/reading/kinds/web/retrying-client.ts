import { secondMs } from "../../../base/clock.ts"
import { openClient } from "../../../outbound/client.ts"
import { type Answer, type GetFailure, type GetRequest, get, portNumber } from "../../../outbound/get.ts"
import { openResolve, type Resolution } from "../../../outbound/resolve.ts"
import type { Network } from "./network.ts"

/**
 * Sends requests at the rate each host allows, and repeats them while that may help. Connects only to judged
 * addresses.
 */
export interface RetryingClient {
  /**
   * The last reply. Rejects only when `signal` is aborted, or when nothing is on the wire at the network's `giveWay`.
   * `isHop`: goes on with what an earlier request began, which giving way does not end.
   */
  request(
    url: URL,
    request: GetRequest,
    signal: AbortSignal,
    isHop: boolean,
  ): Promise<Answer | RequestFailure>
  /** Leaves longer pauses between requests to the host from now on, as its `Crawl-delay` asks. */
  slowDown(host: string, intervalMs: number): void
}

export type RequestFailure =
  | GetFailure
  /** There is no such name, or it has an address we may not call: the owner of a feed must not learn which. */
  | { outcome: "no_public_address" }
  /** No name server answered. */
  | { outcome: "unresolved" }
  /** The host left too many requests in a row unanswered. Nothing was sent. */
  | { outcome: "host_down" }
  /** The host asks to come back later than we wait. */
  | { outcome: "retry_later"; waitMs: number }

/** A name is resolved again after this time. Connections go to the judged addresses meanwhile. */
const resolutionKeptMs = 60 * secondMs

export function openRetryingClient(network: Network): RetryingClient {
  const { limits } = network
  const resolve = cachedResolve(network)
  const throttle = openThrottle(network)
  /** Requests in a row that a host did not really answer: a host that is down must not cost minutes a page. */
  const unanswered = new Map<string, number>()
  const client = openClient(network.proxy)

  async function request(url: URL, wanted: GetRequest, signal: AbortSignal, isHop: boolean) {
    const retrying = network.giveWay ? AbortSignal.any([signal, network.giveWay]) : signal
    if ((unanswered.get(url.host) ?? 0) >= limits.failuresUntilDown) return { outcome: "host_down" } as const
    for (let attempt = 0; ; attempt++) {
      const waiting = isHop && attempt === 0 ? signal : retrying
      await throttle.wait(url.host, waiting)
      waiting.throwIfAborted()
      const reply = await requestOnce(url, wanted, signal)
      const failing = failingPart(reply)
      if (!failing) unanswered.delete(url.host)
      if (!failing || reply.outcome === "no_public_address") return reply
      const waitMs = retryAfterMs(reply, network) ?? limits.backOffMs * 4 ** attempt
      const isTooLong = waitMs > limits.longestRetryAfterMs
      if (attempt >= limits.retries || isTooLong) {
        if (failing === "host") unanswered.set(url.host, (unanswered.get(url.host) ?? 0) + 1)
        return isTooLong ? ({ outcome: "retry_later", waitMs } as const) : reply
      }
      if (failing === "host") throttle.hold(url.host, waitMs)
      else await network.sleep(waitMs, retrying)
    }
  }

  async function requestOnce(
    url: URL,
    wanted: GetRequest,
    signal: AbortSignal,
  ): Promise<Answer | RequestFailure> {
    const resolution = await resolve(url)
    if ("outcome" in resolution) return { outcome: resolution.temporary ? "unresolved" : "no_public_address" }
    const reply = await get(url, resolution, wanted, { ...network, client }, signal)
    return reply.outcome === "private_address" ? { outcome: "no_public_address" } : reply
  }

  return { request, slowDown: throttle.slowDown }
}

/** Resolves the host of an address, and keeps the result unless asking again may give another one. */
function cachedResolve({ clock, limits, resolve, mayConnectTo }: Network): (url: URL) => Promise<Resolution> {
  const resolveHost = openResolve({ lookup: resolve, mayConnectTo })
  const cached = new Map<string, { atMs: number; resolution: Promise<Resolution> }>()
  return (url) => {
    const nowMs = clock.now()
    const entry = cached.get(url.origin)
    if (entry && nowMs - entry.atMs < resolutionKeptMs) return entry.resolution
    const signal = AbortSignal.timeout(limits.wholeTimeoutMs)
    const resolution = resolveHost(url.hostname, portNumber(url), signal)
    cached.set(url.origin, { atMs: nowMs, resolution })
    const forget = () => void cached.delete(url.origin)
    void resolution.then((found) => {
      if ("targets" in found) found.late?.addEventListener("abort", forget)
      else if (found.temporary) forget()
    })
    return resolution
  }
}

/** Spreads the requests to each host over time. */
function openThrottle({ clock, sleep, limits }: Network) {
  const intervalsMs = new Map<string, number>()
  const nextMs = new Map<string, number>()
  return {
    /** Resolves when the next request to the host may begin. */
    async wait(host: string, signal: AbortSignal): Promise<void> {
      const nowMs = clock.now()
      const atMs = Math.max(nowMs, nextMs.get(host) ?? 0)
      nextMs.set(host, atMs + (intervalsMs.get(host) ?? limits.intervalMs))
      if (atMs > nowMs) await sleep(atMs - nowMs, signal)
    },
    slowDown(host: string, intervalMs: number): void {
      intervalsMs.set(host, Math.max(limits.intervalMs, Math.min(intervalMs, limits.longestCrawlDelayMs)))
    },
    /** Lets no request begin within `ms`. */
    hold(host: string, ms: number): void {
      nextMs.set(host, Math.max(clock.now() + ms, nextMs.get(host) ?? 0))
    },
  }
}

/** `host`: the host as a whole seems unable to answer. `page`: this one address of it is. Both may pass. */
function failingPart(reply: Answer | RequestFailure): "host" | "page" | undefined {
  if (reply.outcome === "too_large") return undefined
  if (reply.outcome !== "answer" || [429, 502, 503, 504].includes(reply.status)) return "host"
  return reply.status >= 500 ? "page" : undefined
}

/** `Retry-After` in either of its forms (RFC 9110, 10.2.3). */
function retryAfterMs(reply: Answer | RequestFailure, { clock }: Network): number | undefined {
  const text = reply.outcome === "answer" ? reply.headers.get("retry-after")?.trim() : undefined
  if (!text) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * secondMs : Date.parse(text) - clock.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
