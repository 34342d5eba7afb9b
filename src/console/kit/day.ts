import { dayIn, hourMs, minuteMs } from "../../base/clock.ts"
import { Refusal } from "../../base/errors.ts"
import { messages } from "../messages/shell.fr.ts"

/** Zones differ by quarters of an hour, and by up to 14 hours from UTC. */
const stepMs = 15 * minuteMs
const longestBeforeMiddayMs = 26 * hourMs

/**
 * When the day begins that was chosen as `since`, in the owner's time zone. Throws Refusal `invalid_request`
 * for what is no day.
 */
export function beginsAt(since: string, timezone: string): number {
  const middayMs = /^\d{4}-\d\d-\d\d$/.test(since) ? Date.parse(`${since}T12:00:00Z`) : Number.NaN
  if (Number.isNaN(middayMs))
    throw new Refusal("invalid_request", messages.sinceWrong, { fields: { since: messages.sinceWrong } })
  let atMs = middayMs
  // Bounded: days of the first thousand years are written otherwise, and compare with none.
  while (dayIn(timezone, atMs - stepMs) >= since && middayMs - atMs < longestBeforeMiddayMs) atMs -= stepMs
  return atMs
}
