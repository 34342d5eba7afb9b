import { bias, weights } from "./refusal-weights.ts"
import type { Signals, Weights } from "./signals.ts"

export interface Decision {
  /** Whether the documentation is taken to answer. */
  answerable: boolean
  /** How likely that is, 0 to 1. */
  confidence: number
  /**
   * Whether a passage is as near to the question in meaning as few passages of this documentation are to one
   * another.
   */
  isNear: boolean
}

/**
 * From here on an answer is more likely to help than to mislead. One value for every documentation and
 * language.
 */
const threshold = 0.5

/** A logistic combination of signals, fitted on several documentations; never a raw score. */
export function decide(signals: Signals, isNear = false): Decision {
  const confidence = confidenceOf(signals, bias, weights)
  return { answerable: confidence >= threshold, confidence, isNear }
}

export function confidenceOf(signals: Signals, bias: number, weights: Weights): number {
  const names = Object.keys(weights) as (keyof Signals)[]
  const logit = names.reduce((sum, name) => sum + weights[name] * signals[name], bias)
  return 1 / (1 + Math.exp(-logit))
}
