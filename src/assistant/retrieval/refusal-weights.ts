import type { Weights } from "./signals.ts"

/** Written by `bun test/bench/fit-refusal.ts --write`, which says on which documentations: not by hand. */
export const bias = -4.131

export const weights: Weights = {
  relativeScore: 1.528,
  headCoverage: 1.474,
  windowCoverage: 1.37,
  windowWords: 3.422,
  passageWords: 1.648,
  unknownShare: -1.021,
  rarity: -0.069,
  namesMissing: -2.203,
  asksWho: -2.096,
  quantityMissing: -0.874,
}
