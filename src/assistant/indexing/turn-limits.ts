import { minuteMs, secondMs } from "../../base/clock.ts"
import type { Progress } from "./indexing-run.ts"

/** How long one turn of an indexing may take. */
export interface TurnLimits {
  /** A reading gives way after this when others wait. */
  turnMs: number
  /** Within this, each of the workspaces that wait has had its turn. */
  roundMs: number
  /** However many wait: a shorter turn would be spent on starting. */
  shortestMs: number
  /** A process that has not said for so long that it lives is stuck. */
  silentMs: number
  /** So is one that has not got any further for so long. */
  standstillMs: number
}

export const turnLimits: TurnLimits = {
  turnMs: 2 * minuteMs,
  roundMs: 15 * minuteMs,
  shortestMs: 20 * secondMs,
  silentMs: 60 * secondMs,
  standstillMs: 15 * minuteMs,
}

/** A turn under way, as it is seen from outside. */
export interface ObservedTurn {
  phase: Progress["phase"]
  sinceBeginMs: number
  /** Since it last said that it lives. */
  sinceBeatMs: number
  /** Since it last got further. */
  sinceProgressMs: number
  /** Something waits for its place. */
  isInTheWay: boolean
  /** What is its due of a round. */
  shareMs: number
}

/**
 * What is to become of a turn. Half an index is worth nothing, so that building goes on for as long as the
 * round allows, and for as long as it likes when nobody waits.
 */
export function judgeTurn(turn: ObservedTurn, limits: TurnLimits): "go_on" | "give_way" | "stuck" {
  if (turn.sinceBeatMs > limits.silentMs || turn.sinceProgressMs > limits.standstillMs) return "stuck"
  const isReading = turn.phase === "reading"
  const longestMs = turn.isInTheWay
    ? Math.min(turn.shareMs, isReading ? limits.turnMs : turn.shareMs)
    : isReading
      ? limits.roundMs
      : Number.POSITIVE_INFINITY
  return turn.sinceBeginMs > longestMs ? "give_way" : "go_on"
}

/** So many turns at one time make a round of all these owners. */
export function shareMs(owners: number, places: number, limits: TurnLimits): number {
  return Math.max(limits.shortestMs, (limits.roundMs * places) / Math.max(owners, 1))
}
