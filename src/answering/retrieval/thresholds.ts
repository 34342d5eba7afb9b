import type { AnswerThreshold } from "../../accounts/project.ts"

/**
 * Least confidence at which a quotation is said rather than offered. The same for all documentations and languages;
 * owners choose by the word.
 */
export const thresholds: Readonly<Record<AnswerThreshold, number>> = {
  /** On sites left out, right less wrong is as good from here on, and a higher one refuses more; see decision 060. */
  prudent: 0.35,
  balanced: 0.25,
  /** More often wrong, and seldom silent. */
  talkative: 0.15,
}

/**
 * Least confidence at which a visitor is kept from what they are about to do. From here on, four answers of five help
 * (decision 060).
 */
export const sureThreshold = 0.7

/** Below it, no owner's choice makes it an answer. */
export const leastThreshold = Math.min(...Object.values(thresholds))
