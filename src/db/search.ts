/** So many rows are looked at in one go; then whatever else waits has its turn. */
const portionSize = 500

/** A part of a list: `atMost` rows, from the one after `after` on. */
export interface Part {
  after: string | undefined
  atMost: number
}

/**
 * The rows of a list whose texts hold what somebody typed: neither capitals nor accents nor the way they are encoded make a difference.
 * Here and not by SQLite, since it knows the capitals of unaccented letters alone. With nothing typed: every row.
 */
export async function search<Row>(
  typed: string,
  { after, atMost }: Part,
  read: (part: Part) => Promise<Row[]>,
  keyOf: (row: Row) => string,
  textsOf: (row: Row) => string[],
): Promise<Row[]> {
  const sought = folded(typed)
  if (sought === "") return read({ after, atMost })
  const found: Row[] = []
  let from = after
  for (let isOver = false; !isOver && found.length < atMost; ) {
    const rows = await read({ after: from, atMost: portionSize })
    found.push(...rows.filter((row) => textsOf(row).some((text) => folded(text).includes(sought))))
    const last = rows.at(-1)
    isOver = rows.length < portionSize || last === undefined
    from = last && keyOf(last)
    await new Promise(setImmediate)
  }
  return found.slice(0, atMost)
}

function folded(text: string): string {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
  return plain.replaceAll("œ", "oe").replaceAll("æ", "ae")
}
