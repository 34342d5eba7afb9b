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
  return withOdds(confidence, thresholds.prudent / (1 - thresholds.prudent))
}

function withOdds(confidence: number, factor: number): number {
  return (confidence * factor) / (confidence * factor + 1 - confidence)
}

/**
 * The same for the signals of a quotation, which never answers where it holds nothing of the question.
 * `passages`: of the documentation.
 */
export function decideOnQuotation(
  signals: QuoteSignals,
  isNear: boolean,
  threshold: number,
  leans: boolean,
  passages: number,
): Decision {
  if (signals.wordsHeld === 0 && signals.pageCoverage === 0) return toDecision(0, isNear, threshold)
  const confidence = leans
    ? asQuotation(confidenceOf<keyof QuoteSignals>(signals, leaningBias, leaningWeights))
    : withOdds(confidenceOf(signals, quoteBias, quoteWeights), oddsOfFew(passages))
  return toDecision(confidence, isNear, threshold)
}

/**
 * The weights are fitted on documentations of more passages. Among fewer, fewer are like a question by
 * chance, so that the same signals say more: the odds grow; see decision 067.
 */
function oddsOfFew(passages: number): number {
  return Math.min(Math.max(1, few.passages / passages) ** few.power, few.mostOdds)
}

const few = { passages: 30, power: 0.75, mostOdds: 4 }

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
