import { secondMs } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import { ModelFailure } from "./failure.ts"

const usualRetryMs = 30 * secondMs

/** What a failed call comes down to outside: `unavailable`, with a reason that tells the owner what to do. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof ModelFailure)) return error
  const retryAfterSeconds = Math.max(1, Math.ceil((error.retryAfterMs ?? usualRetryMs) / secondMs))
  return new Refusal("unavailable", detail("assistant.unavailable"), {
    reason: `language model: ${error.message}`,
    retryAfterSeconds,
  })
}
