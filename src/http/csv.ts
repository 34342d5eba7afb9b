import { openBatches, type Part } from "../db/search.ts"
import { securityHeaders } from "./security.ts"

/** Without it Excel reads UTF-8 as the machine's legacy code page. */
const byteOrderMark = "\ufeff"

/**
 * A CSV table that a French Excel opens directly: `;` between cells, UTF-8 with a byte order mark. Rows are
 * read and sent in batches, by the id of the last row: memory use stays small, and no read lasts long.
 */
export function csvOf<Row extends { id: string }>(
  columns: readonly string[],
  read: (part: Part) => Promise<Row[]>,
  cellsOf: (row: Row) => readonly string[],
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const batches = openBatches()
  let after: string | undefined
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(byteOrderMark + csvLine(columns)))
    },
    async pull(controller) {
      const wanted = batches.size()
      const rows = await read({ after, atMost: wanted })
      after = rows.at(-1)?.id
      const lines: string[] = []
      for (const row of rows) {
        const line = csvLine(cellsOf(row))
        lines.push(line)
        await batches.add([line])
      }
      await batches.end()
      if (lines.length > 0) controller.enqueue(encoder.encode(lines.join("")))
      if (rows.length < wanted) controller.close()
    },
  })
}

/** Reply that downloads a table as `<name>.csv`. */
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
 * Quotes a cell. Spreadsheets execute a cell that begins like a formula (CSV injection), so it gets an
 * apostrophe in front, which makes it text. Numbers stay numbers.
 */
export function csvCell(text: string): string {
  const isFormula = /^[\s\u200b\ufeff]*[=+\-@＝＋－＠]/u.test(text) || /^[\t\r\n]/.test(text)
  const isNumber = /^-?(\d+([.,]\d+)?|[.,]\d+)(e[+-]?\d+)?$/i.test(text)
  return `"${(isFormula && !isNumber ? `'${text}` : text).replaceAll('"', '""')}"`
}

/** Formats a time as `2026-11-20 11:57:54`, which spreadsheets read as a date and no country misreads. */
export function csvDate(timezone: string): (atMs: number) => string {
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone: timezone,
    dateStyle: "short",
    timeStyle: "medium",
  })
  return (atMs) => format.format(atMs)
}
