import type { RankedPassage } from "./lance.ts"

/** How much the first places count beside those that follow: Cormack, Clarke and Büttcher (2009) found 60, and it is what is used. */
const rankOffset = 60

/**
 * One list of several whose scores cannot be compared: a passage's score is the sum of 1 / (60 + rank) over the lists that hold
 * it (reciprocal rank fusion). Equal scores are put in one order.
 */
export function fused(lists: readonly (readonly RankedPassage[])[], limit: number): RankedPassage[] {
  const scores = new Map<string, RankedPassage>()
  for (const list of lists)
    list.forEach(({ passage }, at) => {
      // Passages of two feeds may share a key, not an address.
      const id = `${passage.key} ${passage.url}`
      const before = scores.get(id)?.score ?? 0
      scores.set(id, { passage, score: before + 1 / (rankOffset + at + 1) })
    })
  return [...scores.values()]
    .sort((one, other) => other.score - one.score || (one.passage.key < other.passage.key ? -1 : 1))
    .slice(0, limit)
}
