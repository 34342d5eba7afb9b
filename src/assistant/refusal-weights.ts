import type { Weights } from "./decide.ts"

/** Written by `bun test/bench/fit-refusal.ts --write`, which says on which documentations: not by hand. */
export const bias = -3.177

export const weights: Weights = {
  relativeScore: 1.554,
  headCoverage: 1.703,
  windowCoverage: 0.751,
  windowWords: 3.754,
  passageWords: 1.663,
  unknownShare: -2.209,
  rarity: -0.966,
  namesMissing: -2.399,
  asksWho: -2.134,
  quantityMissing: -1.821,
}
