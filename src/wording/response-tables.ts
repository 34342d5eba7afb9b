import { listMembers } from "../accounts/operator.ts"
import type { Db } from "../db/connection.ts"
import { hasValue } from "../forms/definition/field-types.ts"
import type { Form } from "../forms/definition/form.ts"
import { type FollowedResponse, withNotes } from "../forms/responses/follow-up.ts"
import { listResponses, type ResponseFilter } from "../forms/responses/list-responses.ts"
import { csvStream } from "../http/csv.ts"
import { type Cell, type Table, tableRows } from "../http/table.ts"
import { xlsxStream } from "../http/xlsx.ts"
import { fieldFaces } from "./field-faces.fr.ts"

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
    progress: "Suivi",
    assignee: "Attribué à",
    notes: "Notes",
  },
  consentStates: { pending: "en attente de confirmation", confirmed: "confirmé" },
}

/** How far a workspace is with a response. */
export const progressNames = { todo: "à traiter", doing: "en cours", done: "traité" }

/** Formats in which a table of responses is downloaded, by the ending of the file. */
export const responseTables = { csv: csvStream, xlsx: xlsxStream }
export type TableFormat = keyof typeof responseTables

/** The responses of a form as a table, with times in the owner's time zone. */
export function responsesTable(db: Db, form: Form, filter: ResponseFilter, timezone: string): Table {
  const scope = { projectId: form.projectId, formId: form.id }
  /** Read once the first row is. */
  let emails: Map<string, string> | undefined
  return {
    columns: header(form),
    timezone,
    rows: tableRows(
      async (part) => {
        emails ??= new Map((await listMembers(db, form.workspaceId)).map(({ id, email }) => [id, email]))
        return withNotes(db, await listResponses(db, scope, filter, part))
      },
      (response) => row(form, response, emails?.get(response.assignee ?? "") ?? ""),
    ),
  }
}

function header({ fields }: Form): string[] {
  const { csvColumns: columns } = words
  return [
    columns.id,
    columns.createdAt,
    ...fields.filter(hasValue).map((field) => field.label),
    columns.consent,
    columns.consentText,
    columns.consentAt,
    columns.consentConfirmedAt,
    columns.page,
    columns.others,
    columns.progress,
    columns.assignee,
    columns.notes,
  ]
}

function row(form: Form, response: FollowedResponse, assignee: string): Cell[] {
  const { id, createdAt, values, consent, page } = response
  const fields = form.fields.filter(hasValue)
  const names = new Set(fields.map((field) => field.name))
  // The values of fields that were since removed from the form must not vanish from the table.
  const others = Object.entries(values).filter(([name, value]) => !names.has(name) && value !== "")
  return [
    id,
    { atMs: createdAt },
    ...fields.map((field) => tableCell(field, values)),
    consent ? words.consentStates[consent.status] : "",
    consent?.text ?? "",
    consent ? { atMs: consent.at } : "",
    consent?.confirmedAt ? { atMs: consent.confirmedAt } : "",
    page,
    others.map(([name, value]) => `${name}=${value}`).join("\n"),
    progressNames[response.progress],
    assignee,
    response.notes.map(({ author, note }) => `${author}\u00a0: ${note}`).join("\n"),
  ]
}

function tableCell({ name, type }: Form["fields"][number], values: Record<string, string>): Cell {
  const value = Object.hasOwn(values, name) ? (values[name] as string) : ""
  return value === "" ? "" : (fieldFaces[type].cell?.(value) ?? value)
}
