import type { Signals } from "./signals.ts"

export interface Decision {
  /** Whether the documentation is taken to answer. */
  answerable: boolean
  /** How likely that is, 0 to 1. */
  confidence: number
}

/** A logistic combination of signals, calibrated across documentations; never a raw score. */
export function decide(signals: Signals): Decision {
  const logit =
    weights.bias +
    weights.relativeScore * signals.relativeScore +
    weights.coverage * signals.coverage +
    weights.headCoverage * signals.headCoverage +
    weights.windowCoverage * signals.windowCoverage +
    weights.unknownShare * signals.unknownShare +
    weights.rarity * signals.rarity
  const confidence = 1 / (1 + Math.exp(-logit))
  return { answerable: confidence >= 0.5, confidence }
}

const weights = {
  bias: -2,
  relativeScore: 1,
  coverage: 2,
  headCoverage: 1,
  windowCoverage: 2,
  unknownShare: -4,
  rarity: 0,
}
