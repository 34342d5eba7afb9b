import { secondMs } from "../base/clock.ts"
import { detail } from "../base/errors.ts"
import { tooMany } from "../limits/limit.ts"
import { securityHeaders } from "./security.ts"
import { byteStream, type Cell, type Table, tableTime } from "./table.ts"

/** Without it Excel reads UTF-8 as the machine's legacy code page. */
const byteOrderMark = "\ufeff"

/** A CSV table that a French Excel opens directly: `;` between cells, UTF-8 with a byte order mark. */
export function csvStream(table: Table): ReadableStream<Uint8Array> {
  return byteStream(csvChunks(table))
}

async function* csvChunks({ columns, timezone, rows }: Table): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  const toText = cellText(tableTime(timezone))
  yield encoder.encode(byteOrderMark + csvLine(columns))
  for await (const batch of rows) yield encoder.encode(batch.map((row) => csvLine(row.map(toText))).join(""))
}

/** Numbers have a decimal comma: a French spreadsheet reads `12.5` as the twelfth of May. */
function cellText(time: (atMs: number) => string): (cell: Cell) => string {
  return (cell) => {
    if (typeof cell === "string") return cell
    if ("atMs" in cell) return time(cell.atMs)
    return "day" in cell ? cell.day : cell.number.replace(".", ",")
  }
}

/** Downloads of tables, one at a time for each operator or token: each reads all rows, as fast as they are taken. */
export interface Exports {
  /** Throws Refusal `rate_limited` while another export of `exporterId` is under way. */
  reply(request: Request, exporterId: string, name: string, table: ReadableStream<Uint8Array>): Response
}

export function openExports(): Exports {
  const running = new Map<string, symbol>()

  return {
    reply(request, exporterId, name, table) {
      if (request.method === "HEAD") return tableReply(name, table)
      if (running.has(exporterId))
        throw tooMany(
          detail("requests.exportRunning"),
          5 * secondMs,
          "an export of the same operator or token is under way",
        )
      const run = Symbol()
      running.set(exporterId, run)
      return tableReply(
        name,
        notifyingEnd(table, request.signal, () => {
          if (running.get(exporterId) === run) running.delete(exporterId)
        }),
      )
    },
  }
}

/** The same stream. Calls `onEnd` when it is over, for whatever reason, or when `signal` is aborted; maybe twice. */
function notifyingEnd(stream: ReadableStream<Uint8Array>, signal: AbortSignal, onEnd: () => void) {
  signal.addEventListener("abort", onEnd, { once: true })
  const reader = stream.getReader()
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        onEnd()
        controller.close()
      } catch (error) {
        onEnd()
        throw error
      }
    },
    async cancel(reason) {
      onEnd()
      await reader.cancel(reason)
    },
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}

export const xlsxType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

function tableReply(name: string, table: ReadableStream<Uint8Array>): Response {
  return new Response(table, {
    headers: {
      ...securityHeaders,
      "content-type": name.endsWith(".csv") ? "text/csv; charset=utf-8" : xlsxType,
      "content-disposition": `attachment; filename="${name}"`,
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
  const isFormula = formulaStart.test(text) || /^[\t\r\n]/.test(text)
  const isNumber = /^-?(\d+([.,]\d+)?|[.,]\d+)(e[+-]?\d+)?$/i.test(text)
  return `"${(isFormula && !isNumber ? `'${text}` : text).replaceAll('"', '""')}"`
}

/** A sign that begins a formula, in any width, after characters that are not seen or that a spreadsheet drops. */
const formulaStart = /^[\s\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]*[=+\-@＝＋－＠﹦﹢﹣﹫−⁺₊⁻₋⁼₌]/u
