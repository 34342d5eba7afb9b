import type { Claimed, Room } from "./claim.ts"
import type { Finished } from "./record.ts"
import { keptConnections } from "./send.ts"

/** "At most a few attempts in flight per endpoint, and a bounded number in all." Bun makes 256 requests at once: some are left to others. */
const maxInFlight = 240
const maxPerEndpoint = 5
/** From so many on, one at a time for each: endpoints that hang must not fill all places. Those that answered last are trusted for longer. */
const crowded = { answering: 208, unknown: 64 }
/**
 * So many at most to endpoints that let their last attempt run out of time, and to these and strangers together: who answers finds a place
 * however many hang, and strangers do beside those that hang again and again.
 */
const maxInFlightTo = { hanging: 80, unproven: 160 }
/**
 * Of the attempts begun less than a quarter of a second ago: as many as connections are kept, beyond which every attempt would pay for a
 * TLS handshake. With a third as many, all are answered before a turn is written down, and the network idles. What lasts longer keeps
 * nobody waiting.
 */
const maxYoung = keptConnections
export const youngForMs = 250
/**
 * So many are claimed at most, waiting or in flight: what waits is at hand when a place is free, and one commit serves many. Only who
 * answers has attempts waiting beyond its places.
 */
const maxClaimed = 1200
const maxClaimedPerEndpoint = 48
/** An attempt that found no place for so long is given up, and claimed again later: a lease allows for 3 seconds. */
export const waitAtMostMs = 1000
/** The last places are for one of each. */
const crowdedClaims = 1080
/** Beyond, the endpoints that answered longest ago are strangers again. */
const maxRemembered = 10_000

/** The attempts this process has claimed, waiting or in flight. Not the truth, which is in the database: only what it must not exceed. */
export interface Flights {
  readonly size: number
  all(): Claimed[]
  add(claimed: Claimed): void
  /** How many more may depart now. */
  free(): number
  /** Whether this one may, for its endpoint and its kind. */
  mayDepart(claimed: Claimed): boolean
  depart(claimed: Claimed): void
  /** It ended, and is to be written down; false when it was not in flight. */
  land(claimed: Claimed): boolean
  remove(finished: Pick<Finished, "claimed" | "outcome">): void
  /** It was cancelled before it departed. */
  forget(claimed: Claimed): void
  /** It never departed: its endpoint lets others wait. */
  giveUp(claimed: Claimed): void
  room(): Room
}

/** What this process knows of one endpoint. */
interface Lane {
  claimed: number
  flying: number
  /** Whether it answered its last attempt, or let it run into its time limit; undefined: nothing is known. */
  answers: boolean | undefined
}

export function openFlights(): Flights {
  const claims = new Map<Claimed, Lane>()
  /** When each departed, by a clock that does not leap, the longest ago first. */
  const inFlight = new Map<Claimed, number>()
  /** The endpoints that have claims or of which something is known; of those without claims, the ones whose last ended longest ago first. */
  const lanes = new Map<string, Lane>()
  const late = { claimed: 0, flying: 0 }
  /** In flight, by what was known of their endpoints when they departed. */
  const flyingTo = { hanging: new Set<Claimed>(), unproven: new Set<Claimed>() }

  function laneOf(endpointId: string): Lane {
    const known = lanes.get(endpointId)
    if (known) return known
    const lane = { claimed: 0, flying: 0, answers: undefined }
    lanes.set(endpointId, lane)
    return lane
  }

  function placesOf({ answers }: Lane): number {
    const bound = answers ? crowded.answering : crowded.unknown
    return answers === false || inFlight.size > bound ? 1 : maxPerEndpoint
  }

  function hasPlaceFor({ answers }: Lane): boolean {
    if (answers) return true
    if (answers === false && flyingTo.hanging.size >= maxInFlightTo.hanging) return false
    return flyingTo.unproven.size < maxInFlightTo.unproven
  }

  function roomOf(endpointId: string, claimedSince = 0): number {
    const { answers, claimed } = lanes.get(endpointId) ?? { answers: undefined, claimed: 0 }
    const isCrowded = claims.size + claimedSince >= (answers ? crowdedClaims : crowded.unknown)
    const most = answers ? maxClaimedPerEndpoint : maxPerEndpoint
    return (answers === false || isCrowded ? 1 : most) - claimed
  }

  /** Ends a claim; what is known of its endpoint from now on is `answers`. */
  function end(one: Claimed, answers: (lane: Lane) => boolean | undefined): void {
    const lane = claims.get(one)
    if (!lane) return
    claims.delete(one)
    lane.claimed--
    if (one.late) late.claimed--
    lane.answers = answers(lane)
    if (lane.claimed > 0) return
    lanes.delete(one.endpointId)
    if (lane.answers !== undefined) lanes.set(one.endpointId, lane)
    if (lanes.size > maxRemembered) forgetOldest()
  }

  function forgetOldest(): void {
    const oldest = lanes.entries().find(([, { claimed }]) => claimed === 0)
    if (oldest) lanes.delete(oldest[0])
  }

  return {
    get size() {
      return claims.size
    },
    all: () => [...claims.keys()],
    add(one) {
      const lane = laneOf(one.endpointId)
      claims.set(one, lane)
      lane.claimed++
      if (one.late) late.claimed++
    },
    free() {
      const youngSinceMs = performance.now() - youngForMs
      let old = 0
      for (const sinceMs of inFlight.values()) {
        if (sinceMs > youngSinceMs) break
        old++
      }
      return Math.min(maxInFlight, maxYoung + old) - inFlight.size
    },
    /** Late attempts take half of the places at most, so that first ones always find some. */
    mayDepart(one) {
      const lane = claims.get(one)
      if (!lane || (one.late && late.flying >= maxInFlight / 2)) return false
      return lane.flying < placesOf(lane) && hasPlaceFor(lane)
    },
    depart(one) {
      const lane = claims.get(one)
      if (!lane) return
      inFlight.set(one, performance.now())
      lane.flying++
      if (one.late) late.flying++
      if (!lane.answers) flyingTo.unproven.add(one)
      if (lane.answers === false) flyingTo.hanging.add(one)
    },
    land(one) {
      const lane = claims.get(one)
      if (!lane || !inFlight.delete(one)) return false
      lane.flying--
      if (one.late) late.flying--
      flyingTo.unproven.delete(one)
      flyingTo.hanging.delete(one)
      return true
    },
    remove: ({ claimed, outcome }) => end(claimed, () => outcome !== "timeout"),
    forget: (one) => end(one, ({ answers }) => answers),
    giveUp: (one) => end(one, ({ answers }) => (answers ? undefined : answers)),
    room: () => ({
      total: maxClaimed - claims.size,
      shared: crowdedClaims - claims.size,
      late: maxClaimed / 2 - late.claimed,
      each: maxClaimedPerEndpoint,
      of: roomOf,
      lanes: new Map(
        lanes
          .entries()
          .map(([id, { claimed }]) => [id, claimed] as const)
          .filter(([, claimed]) => claimed > 0),
      ),
      held: [...claims.keys()],
    }),
  }
}
