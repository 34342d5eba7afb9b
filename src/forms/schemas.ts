import { type Static, Type } from "@sinclair/typebox"
import { changeOf, oneOf, textOrNull, time, timeOrNull, wholeOrNull } from "../http/schemas.ts"
import { fieldTypes } from "./field.ts"

/**
 * Bodies and answers of the routes of forms, as `openapi.json` tells them. What describes a form is read by `checkedForm`, whose
 * sentences name the very field of a field; the rest by these schemas.
 */

const option = Type.Object({ value: Type.String(), label: Type.String() })
const consent = Type.Object({
  text: Type.String({ description: "what stands beside the box" }),
  confirmation: Type.Optional(Type.Boolean({ description: "confirmed by a link sent by mail" })),
})
const ownerMail = Type.Object({
  to: Type.String(),
  contents: Type.Optional(Type.Boolean({ description: "the mail shows what was typed, else only a link" })),
})

export const newForm = Type.Object(
  {
    project: Type.String(),
    name: Type.String(),
    fields: Type.Array(
      Type.Object({
        name: Type.String({ pattern: "^[a-z][a-z0-9_]{0,63}$" }),
        label: Type.String(),
        type: oneOf(fieldTypes),
        required: Type.Optional(Type.Boolean()),
        options: Type.Optional(Type.Array(option, { description: "of a select or radio" })),
      }),
      { minItems: 1, maxItems: 100 },
    ),
    consent: Type.Optional(Type.Union([consent, Type.Null()])),
    redirect_url: Type.Optional(textOrNull),
    retention_days: Type.Optional(wholeOrNull),
    owner_mail: Type.Optional(Type.Union([ownerMail, Type.Null()])),
  },
  { $id: "NewForm" },
)
export const formChange = changeOf(Type.Omit(newForm, ["project"], { $id: "Form" }))

export const formAnswer = Type.Object(
  {
    id: Type.String(),
    public_id: Type.String(),
    project: Type.String(),
    name: Type.String(),
    fields: Type.Array(
      Type.Object({
        name: Type.String(),
        label: Type.String(),
        type: oneOf(fieldTypes),
        required: Type.Boolean(),
        options: Type.Optional(Type.Array(option)),
      }),
    ),
    consent: Type.Union([Type.Object({ text: Type.String(), confirmation: Type.Boolean() }), Type.Null()]),
    redirect_url: textOrNull,
    retention_days: wholeOrNull,
    owner_mail: Type.Union([Type.Object({ to: Type.String(), contents: Type.Boolean() }), Type.Null()]),
    action: Type.String({ description: "what a page posts to" }),
    created_at: time,
  },
  { $id: "Form" },
)
export type FormAnswer = Static<typeof formAnswer>

/** The `data` object of the specification, part 2 B1. */
export const responseAnswer = Type.Object(
  {
    id: Type.String(),
    form_id: Type.String(),
    form_public_id: Type.String(),
    form_name: Type.String(),
    values: Type.Record(Type.String(), Type.String()),
    email: textOrNull,
    consent: Type.Union([
      Type.Object({ status: oneOf(["pending", "confirmed"]), text: Type.String(), at: time }),
      Type.Null(),
    ]),
    page: Type.String(),
    created_at: time,
  },
  { $id: "FormResponse" },
)

export const responseQuery = Type.Object({
  state: Type.Optional(oneOf(["received", "held", "unwanted"], { description: "`received` when absent" })),
  since: Type.Optional(Type.String({ description: "ISO 8601" })),
  consent: Type.Optional(oneOf(["pending", "confirmed", "none"])),
  search: Type.Optional(Type.String({ description: "a text that stands in one of the values" })),
})

export const pageOfForm = Type.Object({
  page: Type.Optional(Type.String({ description: "address of the page that will hold the form" })),
})

export const personBody = Type.Object({ email: Type.String() }, { $id: "Person" })

export const personalAnswer = Type.Object(
  {
    items: Type.Array(
      Type.Composite([
        responseAnswer,
        Type.Object({ state: oneOf(["received", "held", "unwanted"]), consent_confirmed_at: timeOrNull }),
      ]),
    ),
  },
  { $id: "PersonalData" },
)
export const erasedAnswer = Type.Object({ erased: Type.Integer({ minimum: 0 }) }, { $id: "Erased" })
