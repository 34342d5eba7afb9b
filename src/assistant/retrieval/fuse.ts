import type { RankedPassage } from "../index/lance.ts"

export interface WeightedList {
  ranked: readonly RankedPassage[]
  weight: number
  /** The score of what has nothing to do with the question. */
  worthless: number
}

/**
 * One list of several whose scores lie on scales of their own: a passage's score is the sum of weight × its
 * share of the list's best score over the lists that hold it (a convex combination, which unlike a fusion of
 * ranks keeps how far the first is ahead of the second). Equal scores are put in one order.
 */
export function fused(lists: readonly WeightedList[], limit: number): RankedPassage[] {
  const scores = new Map<string, RankedPassage>()
  for (const { ranked, weight, worthless } of lists) {
    const best = (ranked[0]?.score ?? 0) - worthless
    for (const { passage, score } of ranked) {
      const share = best > 0 ? Math.max(0, score - worthless) / best : 0
      const before = scores.get(passage.key)?.score ?? 0
      scores.set(passage.key, { passage, score: before + weight * share })
    }
  }
  return [...scores.values()]
    .sort((one, other) => other.score - one.score || (one.passage.key < other.passage.key ? -1 : 1))
    .slice(0, limit)
}
