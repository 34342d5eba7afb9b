import type { QuoteSignals, RankWeights } from "./quote-signals.ts"
import { leaningBias, leaningWeights, quoteBias, quoteWeights, rankWeights } from "./quote-weights.ts"
import { bias, weights } from "./refusal-weights.ts"
import type { Signals } from "./signals.ts"
import { thresholds } from "./thresholds.ts"

export interface Decision {
  /** Whether the documentation answers the question as surely as the project wants it. */
  answerable: boolean
  /** Estimated probability of that, 0 to 1. */
  confidence: number
  /** Whether the question's nearest passage has at least the cosine `CosineScale.nearness`. */
  isNear: boolean
}

/** At one half, weights that were fitted to say whether the documentation answers decide that it does. */
const even = 0.5

/** Combines the signals by logistic regression, fitted on several documentations. */
export function decide(signals: Signals, isNear = false): Decision {
  return toDecision(confidenceOf(signals, bias, weights), isNear, even)
}

/** The decision by words alone, on the scale of a quotation's confidence. */
export function decideByWords({ confidence, isNear }: Decision, threshold: number): Decision {
  return toDecision(asQuotation(confidence), isNear, threshold)
}

/** The odds that decide become those of a prudent project, whose answers are as many as before. */
function asQuotation(confidence: number): number {
  const odds = confidence * (thresholds.prudent / (1 - thresholds.prudent))
  return odds / (odds + 1 - confidence)
}

/** The same for the signals of a quotation, which never answers where it holds nothing of the question. */
export function decideOnQuotation(
  signals: QuoteSignals,
  isNear: boolean,
  threshold: number,
  leans: boolean,
): Decision {
  if (signals.wordsHeld === 0 && signals.pageCoverage === 0) return toDecision(0, isNear, threshold)
  const confidence = leans
    ? asQuotation(confidenceOf<keyof QuoteSignals>(signals, leaningBias, leaningWeights))
    : confidenceOf(signals, quoteBias, quoteWeights)
  return toDecision(confidence, isNear, threshold)
}

/** Where a quotation stands among those of one question. `score`: of its candidate. */
export function rankOfQuotation(score: number, signals: QuoteSignals, weights: RankWeights = rankWeights) {
  return logitOf(signals, score, weights)
}

function toDecision(confidence: number, isNear: boolean, threshold: number): Decision {
  return { answerable: confidence >= threshold, confidence, isNear }
}

export function confidenceOf<Name extends string>(
  signals: NoInfer<Record<Name, number>>,
  bias: number,
  weights: Partial<Record<Name, number>>,
): number {
  return 1 / (1 + Math.exp(-logitOf(signals, bias, weights)))
}

export function logitOf<Name extends string>(
  signals: NoInfer<Record<Name, number>>,
  bias: number,
  weights: Partial<Record<Name, number>>,
): number {
  const names = Object.keys(weights) as Name[]
  return names.reduce((sum, name) => sum + (weights[name] ?? 0) * signals[name], bias)
}
