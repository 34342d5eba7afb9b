import { byScore, type RankedPassage } from "../index/lance.ts"

export interface WeightedList {
  ranked: readonly RankedPassage[]
  weight: number
  /** The score of an unrelated passage, which counts as zero. */
  baseline: number
}

/**
 * Fuses lists whose scores are on different scales. In each list, a passage gets the list's weight × its share
 * of the list's best score; the sum over the lists is its fused score. Unlike a fusion of ranks, this convex
 * combination keeps how far the first passage is ahead of the second.
 */
export function fuse(lists: readonly WeightedList[], limit: number): RankedPassage[] {
  const scores = new Map<string, RankedPassage>()
  for (const { ranked, weight, baseline } of lists) {
    const best = (ranked[0]?.score ?? 0) - baseline
    for (const { passage, row, score } of ranked) {
      const share = best > 0 ? Math.max(0, score - baseline) / best : 0
      const before = scores.get(passage.key)?.score ?? 0
      scores.set(passage.key, { passage, row, score: before + weight * share })
    }
  }
  return [...scores.values()].sort(byScore).slice(0, limit)
}
