import type { Db } from "../db/connection.ts"
import type { Form } from "../forms/definition/form.ts"
import type { FormResponse } from "../forms/responses/form-response.ts"
import { listResponses, type ResponseFilter } from "../forms/responses/list-responses.ts"
import { csvDate, csvOf } from "../http/csv.ts"

const words = {
  csvColumns: {
    id: "Identifiant",
    createdAt: "Date",
    page: "Page",
    consent: "Accord",
    consentText: "Texte de l’accord",
    consentAt: "Date de l’accord",
    consentConfirmedAt: "Date de confirmation",
    others: "Autres valeurs",
  },
  consentStates: { pending: "en attente de confirmation", confirmed: "confirmé" },
}

/** The responses of a form as a table, with dates in the owner's time zone. */
export function responsesCsv(
  db: Db,
  form: Form,
  filter: ResponseFilter,
  timezone: string,
): ReadableStream<Uint8Array> {
  const date = csvDate(timezone)
  return csvOf(
    header(form),
    (part) => listResponses(db, { projectId: form.projectId, formId: form.id }, filter, part),
    (response) => row(form, response, date),
  )
}

function header({ fields }: Form): string[] {
  const { csvColumns: columns } = words
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
  // The values of fields that were since removed from the form must not vanish from the table.
  const others = Object.entries(values).filter(([name, value]) => !names.has(name) && value !== "")
  return [
    id,
    date(createdAt),
    ...form.fields.map((field) => cellOf(field, values)),
    consent ? words.consentStates[consent.status] : "",
    consent?.text ?? "",
    consent ? date(consent.at) : "",
    consent?.confirmedAt ? date(consent.confirmedAt) : "",
    page,
    others.map(([name, value]) => `${name}=${value}`).join("\n"),
  ]
}

/** A decimal comma: a French spreadsheet reads `12.5` as the twelfth of May. */
function cellOf({ name, type }: Form["fields"][number], values: Record<string, string>): string {
  const value = Object.hasOwn(values, name) ? (values[name] as string) : ""
  return type === "number" ? value.replace(".", ",") : value
}
