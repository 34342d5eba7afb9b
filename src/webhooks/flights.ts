import type { Claimed, Room } from "./claim.ts"
import type { Finished } from "./record.ts"

/** "At most a few attempts in flight per endpoint, and a bounded number in all." */
const maxInFlight = 64
const maxPerEndpoint = 5
/** Late attempts never take the place of first ones. */
const maxLate = 128

/** The attempts this process has in flight. Not the truth, which is in the database: only what it must not exceed. */
export interface Flights {
  readonly size: number
  all(): Claimed[]
  has(claimed: Claimed): boolean
  add(claimed: Claimed): void
  remove(finished: Finished): void
  room(): Room
}

export function openFlights(): Flights {
  const flying = new Map<string, Claimed>()
  const perEndpoint = new Map<string, number>()
  const silent = new Set<string>()
  let late = 0

  function count(endpointId: string, step: 1 | -1): void {
    const now = (perEndpoint.get(endpointId) ?? 0) + step
    if (now > 0) perEndpoint.set(endpointId, now)
    else perEndpoint.delete(endpointId)
  }

  /**
   * One at a time for an endpoint that let the last attempt run into its time limit, and for every endpoint once half of the
   * places are taken: a hundred endpoints that hang must not fill them all.
   */
  function bound(endpointId: string): number {
    return silent.has(endpointId) || flying.size > maxInFlight / 2 ? 1 : maxPerEndpoint
  }

  const roomOf = (endpointId: string) => bound(endpointId) - (perEndpoint.get(endpointId) ?? 0)

  return {
    get size() {
      return flying.size
    },
    all: () => [...flying.values()],
    has: ({ attemptId }) => flying.has(attemptId),
    add(claimed) {
      flying.set(claimed.attemptId, claimed)
      count(claimed.endpointId, 1)
      if (claimed.late) late++
    },
    remove({ claimed, outcome }) {
      if (!flying.delete(claimed.attemptId)) return
      count(claimed.endpointId, -1)
      if (claimed.late) late--
      if (outcome === "timeout") silent.add(claimed.endpointId)
      else silent.delete(claimed.endpointId)
    },
    room: () => ({
      total: maxInFlight - flying.size,
      late: maxLate - late,
      of: roomOf,
      fullEndpoints: [...perEndpoint.keys()].filter((endpointId) => roomOf(endpointId) <= 0).length,
    }),
  }
}
