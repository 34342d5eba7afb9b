import type { AnswerThreshold } from "../../accounts/project.ts"

/**
 * Least confidence at which a quotation is said rather than offered. The same for all documentations and languages;
 * owners choose by the word.
 */
export const thresholds: Readonly<Record<AnswerThreshold, number>> = {
  /** Every project had it before there was a choice. */
  prudent: 0.5,
  balanced: 0.4,
  /** More often wrong, and seldom silent. */
  talkative: 0.3,
}

/** Below it, no owner's choice makes it an answer. */
export const leastThreshold = Math.min(...Object.values(thresholds))
