import { detail, Refusal } from "../base/errors.ts"
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
  const source: UnderlyingDefaultSource<Uint8Array> = {
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
  }
  // A table that nobody reads, because the request is refused or a HEAD, reads no rows.
  return new ReadableStream(source, { highWaterMark: 0 })
}

/** Downloads of tables, one at a time for each operator or token: each reads all rows, as fast as they are taken. */
export interface Exports {
  /**
   * Reply that downloads a table as a file of this name. Throws Refusal `rate_limited` while another export of
   * `exporterId` is under way.
   */
  reply(request: Request, exporterId: string, name: string, table: ReadableStream<Uint8Array>): Response
}

export function openExports(): Exports {
  const running = new Map<string, symbol>()

  return {
    reply(request, exporterId, name, table) {
      if (request.method === "HEAD") return csvReply(name, table)
      if (running.has(exporterId))
        throw new Refusal("rate_limited", detail("requests.exportRunning"), {
          reason: "an export of the same operator or token is under way",
          retryAfterSeconds: 5,
        })
      const run = Symbol()
      running.set(exporterId, run)
      return csvReply(
        name,
        notifyingEnd(table, request.signal, () => {
          if (running.get(exporterId) === run) running.delete(exporterId)
        }),
      )
    },
  }
}

/** The same stream. Calls `onEnd` when it is over, for whatever reason, or when `signal` is aborted; maybe twice. */
function notifyingEnd(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
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

function csvReply(name: string, table: ReadableStream<Uint8Array>): Response {
  return new Response(table, {
    headers: {
      ...securityHeaders,
      "content-type": "text/csv; charset=utf-8",
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
