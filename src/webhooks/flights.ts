import type { Claimed, Room } from "./claim.ts"
import type { Finished } from "./record.ts"

/** "At most a few attempts in flight per endpoint, and a bounded number in all." Bun makes 256 requests at once: some are left to others. */
const maxInFlight = 240
const maxPerEndpoint = 5
/** From so many on, one at a time for each: endpoints that hang must not fill all places. Those that answered last are trusted for longer. */
const crowded = { answering: 208, unknown: 64 }
/**
 * Of the attempts begun less than a quarter of a second ago: as many as Bun keeps idle connections, beyond which every attempt would
 * pay for a TLS handshake. What lasts longer keeps nobody waiting.
 */
const maxYoung = 64
export const youngForMs = 250
/**
 * So many are claimed at most, waiting or in flight: what waits is at hand when a place is free, and one commit serves many. Only who
 * answers has attempts waiting beyond its places.
 */
const maxClaimed = 800
const maxClaimedPerEndpoint = 32
/** An attempt that found no place for so long is given up, and claimed again later: a lease allows for 3 seconds. */
export const waitAtMostMs = 1000
/** The last places are for one of each. */
const crowdedClaims = 720
/** Beyond, the endpoints that answered longest ago are strangers again. */
const maxRemembered = 10_000

/** The attempts this process has claimed, waiting or in flight. Not the truth, which is in the database: only what it must not exceed. */
export interface Flights {
  readonly size: number
  all(): Claimed[]
  has(claimed: Claimed): boolean
  add(claimed: Claimed): void
  /** Whether one more may depart now. */
  free(): boolean
  /** Whether this one may, for its endpoint and its kind. */
  mayDepart(claimed: Claimed): boolean
  depart(claimed: Claimed): void
  /** It ended, and is to be written down. */
  land(claimed: Claimed): void
  remove(finished: Pick<Finished, "claimed" | "outcome">): void
  /** It was cancelled before it departed. */
  forget(claimed: Claimed): void
  /** It never departed: its endpoint lets others wait. */
  giveUp(claimed: Claimed): void
  room(): Room
}

export function openFlights(): Flights {
  const claims = new Map<string, Claimed>()
  /** When each departed, by a clock that does not leap, the longest ago first. */
  const inFlight = new Map<string, number>()
  const claimed = openTally()
  const flying = openTally()
  /** Whether an endpoint answered its last attempt, or let it run into its time limit. */
  const answered = new Map<string, boolean>()

  function placesOf(endpointId: string): number {
    const answers = answered.get(endpointId)
    const bound = answers ? crowded.answering : crowded.unknown
    return answers === false || flying.inAll > bound ? 1 : maxPerEndpoint
  }

  function roomOf(endpointId: string, claimedSince = 0): number {
    const answers = answered.get(endpointId)
    const inAll = claimed.inAll + claimedSince
    const isCrowded = inAll >= (answers ? crowdedClaims : crowded.unknown)
    const most = answers ? maxClaimedPerEndpoint : maxPerEndpoint
    return (answers === false || isCrowded ? 1 : most) - claimed.of(endpointId)
  }

  function remember(endpointId: string, answers: boolean): void {
    answered.delete(endpointId)
    answered.set(endpointId, answers)
    if (answered.size > maxRemembered) answered.delete(answered.keys().next().value as string)
  }

  function forget(one: Claimed): void {
    if (claims.delete(one.attemptId)) claimed.count(one, -1)
  }

  return {
    get size() {
      return claims.size
    },
    all: () => [...claims.values()],
    has: ({ attemptId }) => claims.has(attemptId),
    add(one) {
      claims.set(one.attemptId, one)
      claimed.count(one, 1)
    },
    free() {
      const youngSinceMs = performance.now() - youngForMs
      let old = 0
      for (const sinceMs of inFlight.values()) {
        if (sinceMs > youngSinceMs) break
        old++
      }
      return inFlight.size < maxInFlight && inFlight.size - old < maxYoung
    },
    /** Late attempts take half of the places at most, so that first ones always find some. */
    mayDepart({ endpointId, late }) {
      return flying.of(endpointId) < placesOf(endpointId) && !(late && flying.late >= maxInFlight / 2)
    },
    depart(one) {
      inFlight.set(one.attemptId, performance.now())
      flying.count(one, 1)
    },
    land(one) {
      if (inFlight.delete(one.attemptId)) flying.count(one, -1)
    },
    remove({ claimed: one, outcome }) {
      if (!claims.has(one.attemptId)) return
      forget(one)
      remember(one.endpointId, outcome !== "timeout")
    },
    forget,
    giveUp(one) {
      forget(one)
      answered.delete(one.endpointId)
    },
    room: () => ({
      total: maxClaimed - claimed.inAll,
      shared: crowdedClaims - claimed.inAll,
      late: maxClaimed / 2 - claimed.late,
      each: maxClaimedPerEndpoint,
      of: roomOf,
      endpointIds: claimed.endpointIds(),
    }),
  }
}

/** How many there are: in all, late ones, of each endpoint. */
function openTally() {
  const perEndpoint = new Map<string, number>()
  const tally = {
    inAll: 0,
    late: 0,
    of: (endpointId: string) => perEndpoint.get(endpointId) ?? 0,
    endpointIds: () => [...perEndpoint.keys()],
    count({ endpointId, late }: Claimed, step: 1 | -1): void {
      tally.inAll += step
      if (late) tally.late += step
      const now = tally.of(endpointId) + step
      if (now > 0) perEndpoint.set(endpointId, now)
      else perEndpoint.delete(endpointId)
    },
  }
  return tally
}
