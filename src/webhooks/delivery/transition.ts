import type { DeliveryState } from "../../db/tables/webhooks.ts"
import type { AttemptResult } from "./queue.ts"
import { nextDueMs } from "./retry-schedule.ts"

/** How a result changes its delivery. */
export interface Transition {
  /** null: the state stays. */
  state: DeliveryState | null
  /** When the next attempt of the same kind is due; null: there is none. */
  dueAtMs: number | null
  /** When the delivery stopped being pending; null: not by this attempt. */
  endedAtMs: number | null
  /** Whether this is one of the 8 automatic attempts: an interrupted one is not. */
  countsAsAttempt: boolean
}

/** `random` gives 0 to 1, for the jitter. */
export function transitionOf(result: AttemptResult, random: () => number): Transition {
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
