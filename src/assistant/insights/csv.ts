import type { Db } from "../../db/sqlite/connection.ts"
import { csvDate, csvOf } from "../../http/csv.ts"
import { csvSentences as sentences } from "../sentences.ts"
import { type AskedFilter, type AskedQuestion, listAsked } from "./asked.ts"

/** The questions of a project as a table, newest first, with dates in the owner's time zone. */
export function questionsCsv(
  db: Db,
  projectId: string,
  filter: AskedFilter,
  timezone: string,
): ReadableStream<Uint8Array> {
  const date = csvDate(timezone)
  return csvOf(
    sentences.columns,
    (part) => listAsked(db, projectId, filter, part),
    (asked) => row(asked, date),
  )
}

function row(asked: AskedQuestion, date: (atMs: number) => string): string[] {
  const { id, question, page, status, answer, sources, useful, askedAt } = asked
  return [
    id,
    date(askedAt),
    question,
    page ?? "",
    sentences.status[status],
    answer,
    sources.map(({ url }) => url).join("\n"),
    useful === null ? "" : useful ? sentences.useful : sentences.useless,
  ]
}
