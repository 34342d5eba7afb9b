import type { Line } from "./lines.ts"
import type { Table } from "./tables.ts"

/**
 * Tables that go on over pages have their head on each, so that a row is told by it; a head or a row that a page's end
 * left alone is part of its table.
 */
export function joinTables(pages: (Line | Table)[][]): void {
  for (const [at, parts] of pages.entries()) {
    const above = pages[at - 1]
    const last = above?.at(-1)
    if (!above || !last) continue
    const first = parts[0]
    if (first && "rows" in first && !("rows" in last)) {
      const head = rowOf(last, first)
      if (!head) continue
      above.pop()
      first.rows.unshift(head)
    } else if ("rows" in last) takeOver(last, parts)
  }
}

function takeOver(above: Table, parts: (Line | Table)[]): void {
  const rows: string[][] = []
  for (let first = parts[0]; first && !("rows" in first); first = parts[0]) {
    const row = rowOf(first, above)
    if (!row) break
    rows.push(row)
    parts.shift()
  }
  const table = parts[0]
  const goesOn = table && "rows" in table && isSameTable(above, table)
  if (rows.length > 0) {
    if (goesOn) table.rows.unshift(...rows)
    else parts.unshift({ rows, columns: above.columns })
  }
  const [next] = parts
  const [head] = above.rows
  if (!next || !("rows" in next) || !head || (!goesOn && rows.length === 0)) return
  if (next.rows[0]?.join("|") !== head.join("|")) next.rows.unshift(head)
}

/** The cells of a line, each in a column of its own. */
function rowOf({ pieces }: Line, { columns }: Table): string[] | undefined {
  const row = columns.map(() => "")
  for (const { text, x0, x1 } of pieces) {
    const at = columns.findIndex((column) => x0 < column.x1 && x1 > column.x0)
    if (at < 0 || row[at] !== "") return undefined
    row[at] = text
  }
  return row.filter((cell) => cell !== "").length > 1 ? row : undefined
}

function isSameTable(one: Table, other: Table): boolean {
  return (
    one.columns.length === other.columns.length &&
    one.columns.every(({ x0, x1 }, at) => {
      const column = other.columns[at]
      return column !== undefined && x0 < column.x1 && x1 > column.x0
    })
  )
}
