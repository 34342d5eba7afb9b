import type { Claimed, Room } from "./claim.ts"
import type { Finished } from "./record.ts"

/** "At most a few attempts in flight per endpoint, and a bounded number in all." Bun makes 256 requests at once: some are left to others. */
const maxInFlight = 240
const maxPerEndpoint = 5
/** From so many on, one at a time for each: endpoints that hang must not fill all places. Those that answered last are trusted for longer. */
const crowded = { answering: 208, unknown: 64 }
/**
 * Of the attempts begun less than a quarter of a second ago: as many as Bun keeps idle connections, beyond which every attempt would
 * pay for a TLS handshake. The others that are claimed wait for their turn; what lasts longer keeps nobody waiting.
 */
const maxYoung = 64
export const youngForMs = 250

/** The attempts this process has claimed, waiting or in flight. Not the truth, which is in the database: only what it must not exceed. */
export interface Flights {
  readonly size: number
  all(): Claimed[]
  has(claimed: Claimed): boolean
  add(claimed: Claimed): void
  depart(claimed: Claimed): void
  /** It ended, and is to be written down. */
  land(claimed: Claimed): void
  /** Whether one more may depart now. */
  free(): boolean
  remove(finished: Pick<Finished, "claimed" | "outcome">): void
  room(): Room
}

interface Flight {
  claimed: Claimed
  /** When it departed, by a clock that does not leap; undefined while it waits and after it landed. */
  sinceMs: number | undefined
}

export function openFlights(): Flights {
  const flying = new Map<string, Flight>()
  const perEndpoint = new Map<string, number>()
  /** Whether an endpoint answered its last attempt, or let it run into its time limit. */
  const answered = new Map<string, boolean>()

  function roomOf(endpointId: string, claimedSince = 0): number {
    const answers = answered.get(endpointId)
    const isCrowded = answers ? flying.size > crowded.answering : flying.size + claimedSince > crowded.unknown
    const bound = answers === false || isCrowded ? 1 : maxPerEndpoint
    return bound - (perEndpoint.get(endpointId) ?? 0)
  }

  function count(endpointId: string, step: 1 | -1): void {
    const now = (perEndpoint.get(endpointId) ?? 0) + step
    if (now > 0) perEndpoint.set(endpointId, now)
    else perEndpoint.delete(endpointId)
  }

  /** Late attempts take half of the places at most, so that first ones always find some. */
  function room(): Room {
    const late = [...flying.values()].filter(({ claimed }) => claimed.late).length
    return {
      total: maxInFlight - flying.size,
      each: flying.size > crowded.answering ? 1 : maxPerEndpoint,
      late: maxInFlight / 2 - late,
      of: roomOf,
      full: [...perEndpoint.keys()].filter((endpointId) => roomOf(endpointId) <= 0),
    }
  }

  return {
    get size() {
      return flying.size
    },
    all: () => [...flying.values()].map(({ claimed }) => claimed),
    has: ({ attemptId }) => flying.has(attemptId),
    add(claimed) {
      flying.set(claimed.attemptId, { claimed, sinceMs: undefined })
      count(claimed.endpointId, 1)
    },
    depart({ attemptId }) {
      const flight = flying.get(attemptId)
      if (flight) flight.sinceMs = performance.now()
    },
    land({ attemptId }) {
      const flight = flying.get(attemptId)
      if (flight) flight.sinceMs = undefined
    },
    free() {
      const youngSinceMs = performance.now() - youngForMs
      let young = 0
      for (const { sinceMs } of flying.values()) if (sinceMs !== undefined && sinceMs > youngSinceMs) young++
      return young < maxYoung
    },
    remove({ claimed, outcome }) {
      if (!flying.delete(claimed.attemptId)) return
      count(claimed.endpointId, -1)
      answered.set(claimed.endpointId, outcome !== "timeout")
    },
    room,
  }
}
