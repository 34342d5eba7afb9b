import { type Static, Type } from "@sinclair/typebox"
import { isoTime } from "../../base/clock.ts"
import { camelNames } from "../../base/names.ts"
import type { Db } from "../../db/connection.ts"
import { preparedAhead } from "../../db/prepared.ts"
import { type Row, tables } from "../../db/schema.ts"
import { findRow } from "../../db/store.ts"
import { oneOf, orNull, textOrNull, time } from "../../http/record/schemas.ts"
import type { Form } from "../definition/form.ts"
import { insertWords } from "./response-words.ts"

export type ResponseState = "received" | "held" | "unwanted"
export type StoppedBy = "trap" | "speed" | "rate"

/** One filling of a form by a visitor. Times are in milliseconds since 1970. */
export interface FormResponse {
  id: string
  formId: string
  state: ResponseState
  /** The spam rule that kept it from being received at once. */
  stoppedBy: StoppedBy | null
  /** One string per field that the form had at the time, keyed by variable name. */
  values: Record<string, string>
  email: string | null
  consent: ConsentProof | null
  page: string
  /** The answer that the visitor had read before writing; null for most. Never part of the message. */
  answerId: string | null
  createdAt: number
  /** When a member of the workspace first opened it. */
  readAt: number | null
  /** How far the workspace is with it, and the id of the member who has it. */
  progress: "todo" | "doing" | "done"
  assignee: string | null
}

export interface ConsentProof {
  status: "pending" | "confirmed"
  text: string
  at: number
  /** When the link in the mail was used; null for a consent that needs none. */
  confirmedAt: number | null
}

/** The `data` object of a message (specification, part 2 B1), to which nothing is added. */
export const responseData = Type.Object(
  {
    id: Type.String(),
    form_id: Type.String(),
    form_public_id: Type.String(),
    form_name: Type.String(),
    values: Type.Record(Type.String(), Type.String()),
    email: textOrNull,
    consent: orNull(Type.Object({ status: oneOf(["pending", "confirmed"]), text: Type.String(), at: time })),
    page: Type.String(),
    created_at: time,
  },
  { $id: "FormResponseData" },
)
export type ResponseData = Static<typeof responseData>

export function describeResponse(
  form: Pick<Form, "id" | "publicId" | "name">,
  response: FormResponse,
): ResponseData {
  const { consent } = response
  return {
    id: response.id,
    form_id: form.id,
    form_public_id: form.publicId,
    form_name: form.name,
    values: response.values,
    email: response.email,
    consent: consent && { status: consent.status, text: consent.text, at: isoTime(consent.at) },
    page: response.page,
    created_at: isoTime(response.createdAt),
  }
}

export async function findResponse(db: Db, formId: string, id: string): Promise<FormResponse | undefined> {
  const row = await findRow(db, "form_response", { id, form_id: formId })
  return row && formResponse(row)
}

/** `addresses`: every e-mail address that fills a field, of whatever type, as `addressKey` returns it. */
export async function insertResponse(
  transaction: Db,
  response: FormResponse,
  idempotencyHash: string | null,
  addresses: readonly string[],
): Promise<void> {
  await insert(transaction, { ...columns(response), idempotency_hash: idempotencyHash })
  for (const address of new Set(addresses))
    await insertAddress(transaction, { address, responseId: response.id })
  await insertWords(transaction, response)
}

type ResponseRow = Row<"form_response">

const insert = preparedAhead<ResponseRow>((value, db) => {
  const names = Object.keys(tables.form_response.columns) as (keyof ResponseRow)[]
  const values = Object.fromEntries(names.map((name) => [name, value(name)])) as ResponseRow
  return db.insertInto("form_response").values(values).compile()
})

const insertAddress = preparedAhead<{ address: string; responseId: string }>((value, db) =>
  db
    .insertInto("form_response_address")
    .values({ address: value("address"), response_id: value("responseId") })
    .compile(),
)

function columns(response: FormResponse): Omit<ResponseRow, "idempotency_hash"> {
  return {
    id: response.id,
    form_id: response.formId,
    state: response.state,
    stopped_by: response.stoppedBy,
    field_values: JSON.stringify(response.values),
    email: response.email,
    consent_status: response.consent?.status ?? null,
    consent_text: response.consent?.text ?? null,
    consent_at: response.consent?.at ?? null,
    consent_confirmed_at: response.consent?.confirmedAt ?? null,
    page: response.page,
    answer_id: response.answerId,
    created_at: response.createdAt,
    read_at: response.readAt,
    progress: response.progress,
    assignee: response.assignee,
  }
}

export function formResponse({ idempotency_hash, field_values, ...row }: ResponseRow): FormResponse {
  const { consent_status: status, consent_text, consent_at, consent_confirmed_at, ...columns } = row
  const proof = { text: consent_text as string, at: consent_at as number, confirmedAt: consent_confirmed_at }
  return {
    ...camelNames(columns),
    values: JSON.parse(field_values) as Record<string, string>,
    consent: status === null ? null : { status, ...proof },
  }
}
