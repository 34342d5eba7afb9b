import { type Static, type TObject, Type } from "@sinclair/typebox"
import { maxNotes, progressStates } from "../forms/responses/follow-up.ts"
import type { ResponseState, StoppedBy } from "../forms/responses/form-response.ts"
import { oneOf, orNull, textOrNull, time, timeOrNull } from "../http/record/schemas.ts"

/**
 * The file that a workspace is handed over in: a line of JSON for each thing, with the kind as its only member. What
 * callers describe by the API has the same members here; ids stand for the links between lines alone.
 */
export const fileVersion = 2

/** Files before it have no line that tells where they end. */
export const firstWithEnd = 2

/** In the order of the file: a line names only what stands above it. */
export type Kind =
  | "workspace"
  | "project"
  | "feed"
  | "upload"
  | "synonyms"
  | "chosen_answer"
  | "evaluation_question"
  | "form"
  | "response"
  | "file"
  | "widget"
  | "endpoint"
  | "end"

export type Line = { [Only in Kind]?: Record<string, unknown> }

/** Characters of a line: a form or a response of the greatest size, and room beside it. */
export const maxLineLength = 4 * 1024 * 1024

export const headSchema = Type.Object({
  version: Type.Integer({ minimum: 1, maximum: fileVersion }),
  name: Type.String({ maxLength: 200 }),
  exported_at: Type.Optional(time),
})

/** A piece of an uploaded file, in base64; `more` of them follow. */
export const uploadSchema = Type.Object({
  name: Type.String(),
  content: Type.String(),
  more: Type.Optional(Type.Boolean()),
})

const states: ResponseState[] = ["received", "held", "unwanted"]
const stoppedBy: StoppedBy[] = ["trap", "speed", "rate"]

export const responseSchema = Type.Object({
  form: Type.String(),
  state: oneOf(states),
  stopped_by: orNull(oneOf(stoppedBy)),
  values: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  email: textOrNull,
  consent: orNull(
    Type.Object({
      status: oneOf(["pending", "confirmed"]),
      text: Type.String(),
      at: time,
      confirmed_at: timeOrNull,
    }),
  ),
  page: Type.String(),
  created_at: time,
  read_at: timeOrNull,
  progress: Type.Optional(oneOf(progressStates)),
  notes: Type.Optional(
    Type.Array(Type.Object({ author: Type.String(), text: Type.String(), created_at: time }), {
      maxItems: maxNotes,
    }),
  ),
})
export type ResponseLine = Static<typeof responseSchema>

export { states }

/** The members of a JSON object that an input has, too. */
export function pickedBy({ properties }: Pick<TObject, "properties">, json: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(json).filter(([name]) => name in properties))
}
