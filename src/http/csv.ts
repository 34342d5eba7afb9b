import { openPortion, type Part } from "../db/search.ts"
import { securityHeaders } from "./security.ts"

/** Without it Excel takes UTF-8 for the machine's old code page. */
const byteOrderMark = "\ufeff"

/**
 * A table that a French Excel opens as it is: `;` between cells, UTF-8 with its mark. Read and sent in
 * portions, by the id of the last row: its size is not held in memory, and no reading lasts long.
 */
export function csvOf<Row extends { id: string }>(
  columns: readonly string[],
  read: (part: Part) => Promise<Row[]>,
  cellsOf: (row: Row) => readonly string[],
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const portion = openPortion()
  let after: string | undefined
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(byteOrderMark + csvLine(columns)))
    },
    async pull(controller) {
      const wanted = portion.rows()
      const rows = await read({ after, atMost: wanted })
      after = rows.at(-1)?.id
      const lines: string[] = []
      for (const row of rows) {
        const line = csvLine(cellsOf(row))
        lines.push(line)
        await portion.lookedAt([line])
      }
      await portion.end()
      if (lines.length > 0) controller.enqueue(encoder.encode(lines.join("")))
      if (rows.length < wanted) controller.close()
    },
  })
}

/** A table to be kept as a file. */
export function csvReply(name: string, table: ReadableStream<Uint8Array>): Response {
  return new Response(table, {
    headers: {
      ...securityHeaders,
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}.csv"`,
      "cache-control": "no-store",
    },
  })
}

function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(";")}\r\n`
}

/**
 * A cell that begins like a formula is executed by spreadsheets: an apostrophe in front makes it text.
 * Numbers stay numbers.
 */
export function csvCell(text: string): string {
  const isFormula = /^[\s\u200b\ufeff]*[=+\-@＝＋－＠]/u.test(text) || /^[\t\r\n]/.test(text)
  const isNumber = /^-?(\d+([.,]\d+)?|[.,]\d+)(e[+-]?\d+)?$/i.test(text)
  return `"${(isFormula && !isNumber ? `'${text}` : text).replaceAll('"', '""')}"`
}

/** `2026-11-20 11:57:54`: what a spreadsheet takes for a date, and nobody for another one. */
export function csvDate(timezone: string): (atMs: number) => string {
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone: timezone,
    dateStyle: "short",
    timeStyle: "medium",
  })
  return (atMs) => format.format(atMs)
}
