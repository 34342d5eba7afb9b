import type { Claimed, Room } from "./claim.ts"
import type { Finished } from "./record.ts"

/** "At most a few attempts in flight per endpoint, and a bounded number in all." */
const maxInFlight = 256
const maxPerEndpoint = 5
/**
 * Of the attempts begun less than a quarter of a second ago: as many as Bun keeps idle connections, beyond which every attempt would
 * pay for a TLS handshake. What lasts longer counts against the larger bound alone, and so keeps nobody waiting.
 */
const maxYoung = 64
export const youngForMs = 250

/** The attempts this process has in flight. Not the truth, which is in the database: only what it must not exceed. */
export interface Flights {
  readonly size: number
  all(): Claimed[]
  has(claimed: Claimed): boolean
  add(claimed: Claimed): void
  remove(finished: Finished): void
  room(): Room
}

interface Flight {
  claimed: Claimed
  /** Of a clock that does not leap. */
  sinceMs: number
}

export function openFlights(): Flights {
  const flying = new Map<string, Flight>()
  const perEndpoint = new Map<string, number>()
  /** Endpoints that let their last attempt run into its time limit. */
  const silent = new Set<string>()

  /** One at a time for a silent endpoint, and for every one once half of the places are taken: many that hang must not fill them all. */
  function roomOf(endpointId: string): number {
    const bound = silent.has(endpointId) || flying.size > maxInFlight / 2 ? 1 : maxPerEndpoint
    return bound - (perEndpoint.get(endpointId) ?? 0)
  }

  function count(endpointId: string, step: 1 | -1): void {
    const now = (perEndpoint.get(endpointId) ?? 0) + step
    if (now > 0) perEndpoint.set(endpointId, now)
    else perEndpoint.delete(endpointId)
  }

  /** Late attempts take half of the places at most, so that first ones always find some. */
  function room(): Room {
    const youngSinceMs = performance.now() - youngForMs
    const all = [...flying.values()]
    const young = all.filter(({ sinceMs }) => sinceMs > youngSinceMs)
    const late = (flights: Flight[]) => flights.filter(({ claimed }) => claimed.late).length
    return {
      total: Math.min(maxInFlight - all.length, maxYoung - young.length),
      late: Math.min(maxInFlight / 2 - late(all), maxYoung / 2 - late(young)),
      of: roomOf,
      fullEndpoints: [...perEndpoint.keys()].filter((endpointId) => roomOf(endpointId) <= 0).length,
    }
  }

  return {
    get size() {
      return flying.size
    },
    all: () => [...flying.values()].map(({ claimed }) => claimed),
    has: ({ attemptId }) => flying.has(attemptId),
    add(claimed) {
      flying.set(claimed.attemptId, { claimed, sinceMs: performance.now() })
      count(claimed.endpointId, 1)
    },
    remove({ claimed, outcome }) {
      if (!flying.delete(claimed.attemptId)) return
      count(claimed.endpointId, -1)
      if (outcome === "timeout") silent.add(claimed.endpointId)
      else silent.delete(claimed.endpointId)
    },
    room,
  }
}
