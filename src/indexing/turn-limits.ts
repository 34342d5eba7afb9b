import { minuteMs, secondMs } from "../base/clock.ts"
import type { Progress } from "./indexing-run.ts"

/** Durations that govern the turns of indexing jobs. */
export interface TurnLimits {
  /** Longest turn of a reading while others wait. */
  turnMs: number
  /** Time within which every waiting workspace has a turn. */
  roundMs: number
  /** Shortest turn, however many wait: starting a process takes a part of it. */
  shortestMs: number
  /** A process without a heartbeat for this long is stuck. */
  silentMs: number
  /** A process without progress for this long is stuck. */
  standstillMs: number
  /** A process that was asked to give way is ended after this time: longer than a request and its page may take. */
  givingWayMs: number
}

export const turnLimits: TurnLimits = {
  turnMs: 2 * minuteMs,
  roundMs: 15 * minuteMs,
  shortestMs: 20 * secondMs,
  silentMs: 60 * secondMs,
  standstillMs: 15 * minuteMs,
  givingWayMs: minuteMs,
}

/** A running turn, as seen from outside its process. */
export interface ObservedTurn {
  phase: Progress["phase"]
  /** Whether its process has begun to work. */
  isAtWork: boolean
  /** Time since it has been at work, or has been waited for to be. */
  sinceBeginMs: number
  /** Time since the last heartbeat. */
  sinceBeatMs: number
  sinceProgressMs: number
  /** Another job waits for this one's place. */
  isInTheWay: boolean
  /** This turn's share of a round. */
  shareMs: number
}

/**
 * Decides whether a turn goes on. A reading can resume later, but half an index is worth nothing: building has its
 * whole share of the round, and no limit when no other job waits.
 */
export function nextStepOfTurn(turn: ObservedTurn, limits: TurnLimits): "go_on" | "give_way" | "stuck" {
  if (turn.sinceBeatMs > limits.silentMs || turn.sinceProgressMs > limits.standstillMs) return "stuck"
  const isReading = turn.phase === "reading"
  // A start that takes longer than a turn would give way each time, and nothing would ever be read.
  if (!turn.isAtWork && turn.sinceBeginMs <= limits.shortestMs) return "go_on"
  const longestMs = turn.isInTheWay
    ? Math.min(turn.shareMs, isReading ? limits.turnMs : turn.shareMs)
    : isReading
      ? limits.roundMs
      : Number.POSITIVE_INFINITY
  return turn.sinceBeginMs > longestMs ? "give_way" : "go_on"
}

/** Share of a round for each owner, with `places` turns at a time. */
export function shareMs(owners: number, places: number, limits: TurnLimits): number {
  return Math.max(limits.shortestMs, (limits.roundMs * places) / Math.max(owners, 1))
}
