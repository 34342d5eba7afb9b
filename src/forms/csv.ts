import type { Db } from "../db/connection.ts"
import { byteOrderMark, csvDate, csvLine } from "../http/csv.ts"
import type { Form } from "./form.ts"
import { type FormResponse, listResponses, type ResponseFilter } from "./form-response.ts"
import { sentences } from "./sentences.ts"

const batchSize = 500

/**
 * The responses of a form as a table that a French Excel opens as it is: `;` between cells, UTF-8 with its mark, dates in
 * the owner's time zone. Read and sent in batches: its size is not held in memory, and no reading lasts long.
 */
export function csvOf(
  db: Db,
  form: Form,
  filter: ResponseFilter,
  timezone: string,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const date = csvDate(timezone)
  let after: string | undefined
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(byteOrderMark + csvLine(header(form))))
    },
    async pull(controller) {
      const responses = await listResponses(db, form.id, filter, { after, atMost: batchSize })
      after = responses.at(-1)?.id
      const lines = responses.map((response) => csvLine(row(form, response, date)))
      if (lines.length > 0) controller.enqueue(encoder.encode(lines.join("")))
      if (responses.length < batchSize) controller.close()
    },
  })
}

function header({ fields }: Form): string[] {
  const { csvColumns: columns } = sentences
  return [
    columns.id,
    columns.createdAt,
    ...fields.map((field) => field.label),
    columns.consent,
    columns.consentText,
    columns.consentAt,
    columns.consentConfirmedAt,
    columns.page,
    columns.others,
  ]
}

function row(
  form: Form,
  { id, createdAt, values, consent, page }: FormResponse,
  date: (atMs: number) => string,
) {
  const names = new Set(form.fields.map((field) => field.name))
  // Of fields the form has had: what was typed there must not vanish from the table.
  const others = Object.entries(values).filter(([name, value]) => !names.has(name) && value !== "")
  return [
    id,
    date(createdAt),
    ...form.fields.map(({ name }) => (Object.hasOwn(values, name) ? (values[name] as string) : "")),
    consent ? sentences.consentStates[consent.status] : "",
    consent?.text ?? "",
    consent ? date(consent.at) : "",
    consent?.confirmedAt ? date(consent.confirmedAt) : "",
    page,
    others.map(([name, value]) => `${name}=${value}`).join("\n"),
  ]
}
