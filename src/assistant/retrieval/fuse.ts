import type { RankedPassage } from "./lance.ts"

export interface WeightedList {
  ranked: readonly RankedPassage[]
  weight: number
}

/** How much the first places count beside those that follow: less spreads a list's weight over more places. */
const rankOffset = 10

/**
 * One list of several whose scores cannot be compared: a passage's score is the sum of weight / (10 + rank) over the lists that
 * hold it (reciprocal rank fusion). Equal scores are put in one order.
 */
export function fused(lists: readonly WeightedList[], limit: number): RankedPassage[] {
  const scores = new Map<string, RankedPassage>()
  for (const { ranked, weight } of lists)
    ranked.forEach(({ passage }, at) => {
      const before = scores.get(passage.key)?.score ?? 0
      scores.set(passage.key, { passage, score: before + weight / (rankOffset + at + 1) })
    })
  return [...scores.values()]
    .sort((one, other) => other.score - one.score || (one.passage.key < other.passage.key ? -1 : 1))
    .slice(0, limit)
}
