import type { AttemptKind, DeliveryState, Late, Outcome } from "../../db/tables/webhooks.ts"
import type { Finished } from "./record.ts"
import { nextDueMs } from "./schedule.ts"

/** An attempt that ended, as it is written down, and what follows from it. */
export interface Fate {
  deliveryNumber: number
  kind: AttemptKind
  /** When the attempt was due. */
  wasDueAtMs: number
  at: number
  outcome: Outcome
  status: number | null
  durationMs: number
  responseExcerpt: string | null
  /** When one of its kind is due again; null: not any more. */
  dueAtMs: number | null
  late: Late
  /** What becomes of the delivery; null: it stays what it is. */
  state: DeliveryState | null
  /** Of the 8 automatic attempts. */
  used: 0 | 1
  /** When the delivery stopped being pending; null: not by this attempt. */
  overAtMs: number | null
}

export function fateOf(finished: Finished, random: () => number): Fate {
  const { claimed, startedAtMs, endedAtMs, durationMs, outcome, status, responseExcerpt } = finished
  const { state, dueAtMs } = consequence(finished, random)
  const isInterrupted = outcome === "interrupted"
  return {
    deliveryNumber: claimed.deliveryNumber,
    kind: claimed.kind,
    wasDueAtMs: claimed.dueAtMs,
    at: startedAtMs,
    outcome,
    status,
    durationMs,
    responseExcerpt,
    dueAtMs,
    late: claimed.late || !isInterrupted ? 1 : 0,
    state,
    used: claimed.kind === "automatic" && !isInterrupted ? 1 : 0,
    overAtMs: state === "delivered" || state === "failed" ? endedAtMs : null,
  }
}

function consequence(
  { claimed, endedAtMs, outcome }: Finished,
  random: () => number,
): Pick<Fate, "state" | "dueAtMs"> {
  const isManual = claimed.kind === "manual"
  if (outcome === "delivered") return { state: "delivered", dueAtMs: null }
  // Nothing of the endpoint's doing: due again at once, and none of the 8 is used up.
  if (outcome === "interrupted") return { state: isManual ? null : "pending", dueAtMs: endedAtMs }
  if (isManual) return { state: null, dueAtMs: null }
  const dueAtMs = nextDueMs(claimed.attemptsMade + 1, endedAtMs, random)
  return dueAtMs === undefined ? { state: "failed", dueAtMs: null } : { state: "pending", dueAtMs }
}
