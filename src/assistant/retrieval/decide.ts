import { bias, weights } from "./refusal-weights.ts"
import type { Signals, Weights } from "./signals.ts"

export interface Decision {
  /** Whether the documentation probably answers the question. */
  answerable: boolean
  /** Estimated probability of that, 0 to 1. */
  confidence: number
  /** Whether the question's nearest passage has at least the cosine `CosineScale.nearness`. */
  isNear: boolean
}

/** From here on, an answer more likely helps than misleads. The same for all documentations and languages. */
const threshold = 0.5

/** Combines the signals by logistic regression, fitted on several documentations. */
export function decide(signals: Signals, isNear = false): Decision {
  const confidence = confidenceOf(signals, bias, weights)
  return { answerable: confidence >= threshold, confidence, isNear }
}

export function confidenceOf(signals: Signals, bias: number, weights: Weights): number {
  const names = Object.keys(weights) as (keyof Signals)[]
  const logit = names.reduce((sum, name) => sum + weights[name] * signals[name], bias)
  return 1 / (1 + Math.exp(-logit))
}
