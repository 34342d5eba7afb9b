import type { AttemptKind, DeliveryState, Outcome } from "../db/tables/webhooks.ts"
import type { Finished } from "./record.ts"
import { nextDueMs } from "./schedule.ts"

/** An attempt that ended, as it is written down, and what follows from it. */
export interface Fate {
  deliveryId: string
  kind: AttemptKind
  attemptId: string
  at: number
  outcome: Outcome
  status: number | null
  durationMs: number
  responseExcerpt: string | null
  /** When it is due again; null: not any more. */
  dueAtMs: number | null
  late: 0 | 1
  /** What becomes of the delivery; null: it stays what it is. */
  state: DeliveryState | null
  /** Of the 8 automatic attempts. */
  used: 0 | 1
  overAtMs: number | null
}

export function fateOf(finished: Finished, random: () => number): Fate {
  const { claimed, startedAtMs, endedAtMs, durationMs, outcome, status, responseExcerpt } = finished
  const { deliveryId, kind, attemptId } = claimed
  const attempt = {
    deliveryId,
    kind,
    attemptId,
    at: startedAtMs,
    outcome,
    status,
    durationMs,
    responseExcerpt,
  }
  const late = claimed.late ? 1 : 0
  const used = kind === "automatic" ? 1 : 0
  const over = { ...attempt, dueAtMs: null, late, used, overAtMs: endedAtMs } as const
  if (outcome === "delivered") return { ...over, state: "delivered" }
  const again = { ...attempt, overAtMs: null }
  // Nothing of the endpoint's doing: due again at once, and none of the 8 is used up.
  if (outcome === "interrupted") return { ...again, dueAtMs: endedAtMs, late, used: 0, state: null }
  if (kind === "manual") return { ...over, state: null }
  const dueAtMs = nextDueMs(claimed.attemptsMade + 1, endedAtMs, random)
  return dueAtMs === undefined
    ? { ...over, state: "failed" }
    : { ...again, dueAtMs, late: 1, used, state: "pending" }
}
