import { type AskedFilter, type AskedQuestion, listAsked } from "../assistant/answers/asked.ts"
import type { Db } from "../db/connection.ts"
import { byteOrderMark, csvDate, csvLine } from "../http/csv.ts"
import { securityHeaders } from "../http/security.ts"
import { sentences } from "./sentences/questions.ts"

const batchSize = 500

/** The questions of a project as a table, read and sent in batches. */
export function questionsCsv(db: Db, projectId: string, filter: AskedFilter, timezone: string): Response {
  const encoder = new TextEncoder()
  const date = csvDate(timezone)
  let after: string | undefined
  const lines = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(byteOrderMark + csvLine(sentences.csvColumns)))
    },
    async pull(controller) {
      const asked = await listAsked(db, projectId, filter, { after, atMost: batchSize })
      after = asked.at(-1)?.id
      if (asked.length > 0)
        controller.enqueue(encoder.encode(asked.map((each) => csvLine(row(each, date))).join("")))
      if (asked.length < batchSize) controller.close()
    },
  })
  return new Response(lines, {
    headers: {
      ...securityHeaders,
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="questions.csv"',
      "cache-control": "no-store",
    },
  })
}

function row(asked: AskedQuestion, date: (atMs: number) => string): string[] {
  const { id, question, page, status, answer, sources, useful, askedAt } = asked
  return [
    id,
    date(askedAt),
    question,
    page ?? "",
    status === "answered" ? sentences.answered : sentences.noAnswer,
    answer,
    sources.map(({ url }) => url).join("\n"),
    useful === null ? "" : useful ? sentences.wasUseful : sentences.wasUseless,
  ]
}
