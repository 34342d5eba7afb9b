import type { Db } from "../../db/connection.ts"
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
  endpointId: string
  attemptEndedAtMs: number
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
    endpointId: claim.endpointId,
    attemptEndedAtMs: result.endedAtMs,
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

/** The numbers of those deliveries of these rows that are not delivered yet. */
export async function undeliveredOf(transaction: Db, rows: readonly ResultRow[]): Promise<Set<number>> {
  if (rows.length === 0) return new Set()
  const numbers = rows.map(({ deliveryNumber }) => deliveryNumber)
  const undelivered = await transaction
    .selectFrom("delivery")
    .select("number")
    .where("number", "in", numbers)
    .where("state", "<>", "delivered")
    .execute()
  return new Set(undelivered.map(({ number }) => number))
}
