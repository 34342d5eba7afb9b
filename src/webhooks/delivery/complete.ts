import type { Db } from "../../db/connection.ts"
import type { AttemptKind, DeliveryState, Late, Outcome } from "../../db/tables/webhooks.ts"
import type { FailureCause } from "../../outbound/failure.ts"
import { nextDueMs } from "../messages/retry-schedule.ts"
import type { AttemptResult } from "./queue.ts"

export interface LoggedAttempt {
  deliveryNumber: number
  kind: AttemptKind
  startedAtMs: number
  outcome: Outcome
  status: number | null
  durationMs: number
  cause: FailureCause | null
  address: string | null
  responseExcerpt: string | null
  responseHeaders: string | null
}

export interface ResultRow extends LoggedAttempt {
  endpointId: string
  attemptEndedAtMs: number
  wasDueAtMs: number
  state: DeliveryState | null
  dueAtMs: number | null
  late: Late
  endedAtMs: number | null
  used: 0 | 1
}

/** `random` gives 0 to 1, for the jitter of the retry schedule. */
export function resultRow(result: AttemptResult, random: () => number): ResultRow {
  const { claim, startedAtMs, outcome, status, durationMs, cause, address } = result
  const { state, dueAtMs, endedAtMs, countsAsAttempt } = nextState(result, random)
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
    cause,
    address,
    responseExcerpt: result.responseExcerpt,
    responseHeaders: result.responseHeaders,
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
export async function stillUndelivered(transaction: Db, rows: readonly ResultRow[]): Promise<Set<number>> {
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

interface Transition {
  /** null: the state stays. */
  state: DeliveryState | null
  /** When the next attempt of the same kind is due; null: no attempt follows. */
  dueAtMs: number | null
  /** When the delivery stopped being pending; null: not by this attempt. */
  endedAtMs: number | null
  /** Whether this is one of the automatic attempts: an interrupted one is not. */
  countsAsAttempt: boolean
}

function nextState(result: AttemptResult, random: () => number): Transition {
  const { claim, endedAtMs, outcome } = result
  const isAutomatic = claim.kind === "automatic"
  const countsAsAttempt = isAutomatic && outcome !== "interrupted"
  if (outcome === "delivered") return { state: "delivered", dueAtMs: null, endedAtMs, countsAsAttempt }
  // The endpoint is not to blame: the attempt is due again at once.
  if (outcome === "interrupted")
    return { state: isAutomatic ? "pending" : null, dueAtMs: endedAtMs, endedAtMs: null, countsAsAttempt }
  // The automatic schedule goes on beside a failed manual attempt.
  if (!isAutomatic) return { state: null, dueAtMs: null, endedAtMs: null, countsAsAttempt }
  const dueAtMs = nextDueMs(claim.attemptsMade + 1, endedAtMs, random)
  return dueAtMs === undefined
    ? { state: "failed", dueAtMs: null, endedAtMs, countsAsAttempt }
    : { state: "pending", dueAtMs, endedAtMs: null, countsAsAttempt }
}
