/** A part of an index. */
export interface RowSet {
  has(row: number): boolean
  /** Their number. */
  size: number
}

/**
 * A row id of LanceDB is the number of its fragment times 2^32 plus the offset there. A JavaScript number is
 * exact up to two million fragments.
 */
export type RankedRow = [row: number, score: number]

/**
 * The best `limit` rows that are within a part of a table of `passages` rows. `find` is asked for so many more that the
 * part has its share among them, and for more again where it has less: LanceDB gives ten times as many rows sooner
 * than it filters them (decision 042).
 */
export async function rankedWithin(
  { passages, within }: { passages: number; within: RowSet | undefined },
  limit: number,
  find: (limit: number) => Promise<RankedRow[]>,
): Promise<RankedRow[]> {
  if (!within) return find(limit)
  if (within.size === 0) return []
  for (let asked = Math.ceil((limit * passages) / within.size); ; asked *= 8) {
    const hits = await find(Math.min(asked, passages))
    const own = hits.filter(([row]) => within.has(row))
    if (own.length >= limit || hits.length < asked || asked >= passages) return own.slice(0, limit)
  }
}
