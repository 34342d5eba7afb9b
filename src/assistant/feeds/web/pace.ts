import type { Network } from "./network.ts"

/** Spreads the requests to each host over time. */
export interface Pace {
  /** Resolves when the next request to the host may begin. */
  turn(host: string, signal: AbortSignal): Promise<void>
  /** Longer pauses between requests from now on, as the host's `Crawl-delay` asks. */
  slowDown(host: string, intervalMs: number): void
  /** No request before that long, as the host's `Retry-After` asks. */
  hold(host: string, ms: number): void
}

export function openPace({ clock, sleep, limits }: Network): Pace {
  const intervalsMs = new Map<string, number>()
  const nextMs = new Map<string, number>()
  return {
    async turn(host, signal) {
      const nowMs = clock.now()
      const atMs = Math.max(nowMs, nextMs.get(host) ?? 0)
      nextMs.set(host, atMs + (intervalsMs.get(host) ?? limits.intervalMs))
      if (atMs > nowMs) await sleep(atMs - nowMs, signal)
    },
    slowDown(host, intervalMs) {
      intervalsMs.set(host, Math.max(limits.intervalMs, Math.min(intervalMs, limits.longestCrawlDelayMs)))
    },
    hold(host, ms) {
      nextMs.set(host, Math.max(clock.now() + ms, nextMs.get(host) ?? 0))
    },
  }
}
