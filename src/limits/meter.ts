import type { Detail } from "../base/errors.ts"
import { type Limit, type Moment, nextArrival, reached } from "./limit.ts"

/** A limit that rolls on, counted by this process alone and in memory. */
export interface Meter {
  /** Takes a point. Throws Refusal `rate_limited` when none is left. */
  take(on: string, at: Moment, told: Detail): void
  /** Takes none: for what is counted only once it has failed. Throws alike. */
  requireLeft(on: string, at: Moment, told: Detail): void
}

type RollingLimit = Limit & { per: Extract<Limit["per"], "minute" | "hour" | "24 hours"> }

/** Beyond it the least recently used counter is dropped: the points of a minute are back by then. */
const maxCounters = 20_000

/**
 * For what happens at every keystroke, where writing to the database would cost more than the work that is bounded.
 * Each node counts for itself: several nodes let through as many times as much.
 */
export function openMeter(limit: RollingLimit): Meter {
  const arrivals = new Map<string, number>()
  const next = (on: string, at: Moment, told: Detail) => {
    const arrival = nextArrival(arrivals.get(on) ?? 0, limit.points, limit.per, at.nowMs)
    if (arrival === undefined) throw reached(limit, told, at)
    return arrival
  }
  return {
    requireLeft: (on, at, told) => void next(on, at, told),
    take(on, at, told) {
      const arrival = next(on, at, told)
      arrivals.delete(on)
      arrivals.set(on, arrival)
      if (arrivals.size > maxCounters) arrivals.delete(arrivals.keys().next().value as string)
    },
  }
}
