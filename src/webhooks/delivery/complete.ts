import type { AttemptKind, DeliveryState, Late, Outcome } from "../../db/tables/webhooks.ts"
import type { AttemptResult } from "./queue.ts"
import { transitionOf } from "./transition.ts"

/** An attempt as its row holds it. */
export interface LoggedAttempt {
  deliveryNumber: number
  kind: AttemptKind
  startedAtMs: number
  outcome: Outcome
  status: number | null
  durationMs: number
  responseExcerpt: string | null
}

/** A result as the statements take it. */
export interface ResultRow extends LoggedAttempt {
  wasDueAtMs: number
  state: DeliveryState | null
  dueAtMs: number | null
  late: Late
  endedAtMs: number | null
  /** 1 if the attempt is one of the 8 automatic ones. */
  used: 0 | 1
}

/** `random` gives 0 to 1, for the jitter of the retry schedule. */
export function rowOf(result: AttemptResult, random: () => number): ResultRow {
  const { claim, startedAtMs, outcome, status, durationMs, responseExcerpt } = result
  const { state, dueAtMs, endedAtMs, countsAsAttempt } = transitionOf(result, random)
  const keepsPriority = claim.priority === "high" && outcome === "interrupted"
  return {
    deliveryNumber: claim.deliveryNumber,
    kind: claim.kind,
    wasDueAtMs: claim.dueAtMs,
    startedAtMs,
    outcome,
    status,
    durationMs,
    responseExcerpt,
    state,
    dueAtMs,
    late: keepsPriority ? 0 : 1,
    endedAtMs,
    used: countsAsAttempt ? 1 : 0,
  }
}

export function isDelivered({ outcome }: Pick<AttemptResult, "outcome">): boolean {
  return outcome === "delivered"
}
