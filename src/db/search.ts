import { withoutAccents } from "../base/text.ts"

/** A part of a list: `atMost` rows, from the one after `after` on. */
export interface Part {
  after: string | undefined
  atMost: number
}

/**
 * The rows of a list whose texts hold what somebody typed: neither capitals nor accents nor the way they are
 * encoded make a difference. Here and not by SQLite, since it knows the capitals of unaccented letters alone.
 * With nothing typed: every row. However many rows there are and however long their texts, whatever else
 * waits has its turn.
 */
export async function search<Row>(
  typed: string,
  { after, atMost }: Part,
  read: (part: Part) => Promise<Row[]>,
  keyOf: (row: Row) => string,
  textsOf: (row: Row) => string[],
): Promise<Row[]> {
  if (typed.length > maxTypedLength) return []
  const sought = folded(typed)
  const found: Row[] = []
  const portion = openPortion()
  let from = after
  for (let isOver = false; !isOver && found.length < atMost; ) {
    const wanted = sought === "" ? Math.min(portion.rows(), atMost - found.length) : portion.rows()
    const rows = await read({ after: from, atMost: wanted })
    for (const row of rows) {
      const texts = textsOf(row)
      if (sought === "" || texts.some((text) => folded(text).includes(sought))) found.push(row)
      await portion.lookedAt(texts)
    }
    const last = rows.at(-1)
    isOver = rows.length < wanted || last === undefined
    from = last && keyOf(last)
    await portion.end()
  }
  return found.slice(0, atMost)
}

/** Nobody types more to find something. */
const maxTypedLength = 1000
/** So many rows are read in one go, and fewer while their texts are long. */
const mostRows = 500
const firstRows = 20
/** What is read in one go, in characters, and what is looked at before whatever else waits has its turn. */
const portionLength = 1_000_000
const turnLength = 200_000

/** How many rows to read next, by how long those before were. */
export function openPortion() {
  let rows = firstRows
  let seen = 0
  let length = 0
  let sinceTurn = 0

  async function yieldTurn(): Promise<void> {
    sinceTurn = 0
    await new Promise(setImmediate)
  }

  return {
    rows: () => rows,
    async lookedAt(texts: readonly string[]): Promise<void> {
      const own = texts.reduce((sum, text) => sum + text.length, 0)
      seen++
      length += own
      sinceTurn += own
      if (sinceTurn >= turnLength) await yieldTurn()
    },
    /** After each portion. */
    async end(): Promise<void> {
      const fitting = Math.floor((portionLength * seen) / Math.max(length, 1))
      rows = Math.min(Math.max(fitting, 1), rows * 4, mostRows)
      seen = 0
      length = 0
      await yieldTurn()
    },
  }
}

function folded(text: string): string {
  const plain = withoutAccents(text).toLowerCase()
  return plain.replaceAll("œ", "oe").replaceAll("æ", "ae")
}
