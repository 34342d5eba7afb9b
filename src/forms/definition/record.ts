import { type TSchema, Type } from "@sinclair/typebox"
import {
  changeOf,
  email,
  filledLine,
  filledText,
  httpAddress,
  oneOf,
  projectId,
  textOrNull,
  time,
  wholeOrNull,
} from "../../http/schemas.ts"
import {
  maxButtonLength,
  maxConsentLength,
  maxNameLength,
  maxRetentionDays,
  maxThanksLength,
  minRetentionDays,
} from "./description.ts"
import {
  maxFields,
  maxHelpLength,
  maxLabelLength,
  maxOptionLength,
  maxOptions,
  maxPlaceholderLength,
} from "./field.ts"
import { type FieldType, fieldRules, fieldTypes, hasPart } from "./field-types.ts"

/**
 * A form, as callers describe it and as replies show it. `openapi.json` publishes these schemas. `checkedForm` judges
 * a description, since its refusals name the property at fault within a field.
 */

const consent = Type.Object({
  text: filledText({ maxLength: maxConsentLength, description: "what stands beside the box" }),
  confirmation: Type.Optional(
    Type.Boolean({
      description: "confirmed by a link sent by mail: the form then needs a field of type email",
    }),
  ),
})
const ownerMail = Type.Object({
  to: email(),
  contents: Type.Optional(Type.Boolean({ description: "the mail shows what was typed, else only a link" })),
})

const commonProperties = {
  name: Type.String({
    pattern: "^[a-z][a-z0-9_]{0,63}$",
    not: { pattern: "^(page$|consent$|guichet_)" },
    description: "of one field alone",
  }),
  label: filledLine({ maxLength: maxLabelLength }),
  required: Type.Optional(Type.Boolean()),
  help: optionalLine(maxHelpLength, "stands with the label"),
  placeholder: optionalLine(
    maxPlaceholderLength,
    "an example, shown while nothing is typed; the first line of a select",
  ),
}
const option = optionOf("")
/** The chosen values are joined by a comma, so that none of them may hold one. */
const optionOfBoxes = optionOf(",")
/** Only choice types have options. */
const field = Type.Union([
  Type.Object({
    ...commonProperties,
    type: oneOf(fieldTypes.filter((type) => !hasPart(type, "options"))),
    min: boundOf("least value of a number, itself allowed"),
    max: boundOf("greatest value of a number, itself allowed"),
    options: Type.Optional(
      Type.Array(option, { maxItems: 0, description: "of select, radio and checkboxes alone" }),
    ),
  }),
  Type.Object({ ...commonProperties, type: oneOf(typesOf("option")), options: optionsOf(option) }),
  Type.Object({
    ...commonProperties,
    type: Type.Union(typesOf("options").map((type) => Type.Literal(type))),
    options: optionsOf(optionOfBoxes),
  }),
])

function typesOf(value: "option" | "options"): FieldType[] {
  return fieldTypes.filter((type) => fieldRules[type].value === value)
}

/** Bounds that only the type number has. */
function boundOf(description: string) {
  return Type.Optional(Type.Union([Type.Number(), Type.Null()], { description }))
}

function optionOf(excluded: string) {
  const { pattern, ...value } = filledLine({ maxLength: maxOptionLength })
  return Type.Object({
    value: excluded === "" ? { ...value, pattern } : { ...value, pattern, not: { pattern: excluded } },
    label: filledLine({ maxLength: maxLabelLength }),
  })
}

function optionsOf<Shape extends TSchema>(shape: Shape) {
  return Type.Array(shape, { minItems: 1, maxItems: maxOptions, description: "no value twice" })
}

function optionalLine(maxLength: number, description: string) {
  return Type.Optional(
    Type.Union([filledLine({ maxLength }), Type.Literal(""), Type.Null()], { description }),
  )
}

export const newForm = Type.Object(
  {
    project: projectId,
    name: filledLine({ maxLength: maxNameLength }),
    fields: Type.Array(field, { minItems: 1, maxItems: maxFields }),
    consent: Type.Optional(Type.Union([consent, Type.Null()])),
    redirect_url: Type.Optional(
      Type.Union([httpAddress(), Type.Literal(""), Type.Null()], {
        description: "where a browser goes on to",
      }),
    ),
    retention_days: Type.Optional(
      Type.Union([Type.Integer({ minimum: minRetentionDays, maximum: maxRetentionDays }), Type.Null()]),
    ),
    owner_mail: Type.Optional(Type.Union([ownerMail, Type.Null()])),
    hosted: Type.Optional(Type.Boolean({ description: "the form has a page of its own, at its `action`" })),
    receipt: Type.Optional(
      Type.Boolean({
        description: "a mail tells the person who wrote that it arrived: needs a field of type email",
      }),
    ),
    button: optionalLine(maxButtonLength, "text of the send button"),
    thanks: Type.Optional(
      Type.Union([filledText({ maxLength: maxThanksLength }), Type.Literal(""), Type.Null()], {
        description: "shown once the form is sent",
      }),
    ),
  },
  { $id: "NewForm" },
)
export const formChange = changeOf(Type.Omit(newForm, ["project"], { $id: "Form" }))

export const formRecord = Type.Object(
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
        help: Type.Optional(Type.String()),
        placeholder: Type.Optional(Type.String()),
        min: Type.Optional(Type.Number()),
        max: Type.Optional(Type.Number()),
        options: Type.Optional(Type.Array(option)),
      }),
    ),
    consent: Type.Union([Type.Object({ text: Type.String(), confirmation: Type.Boolean() }), Type.Null()]),
    redirect_url: textOrNull,
    retention_days: wholeOrNull,
    owner_mail: Type.Union([Type.Object({ to: Type.String(), contents: Type.Boolean() }), Type.Null()]),
    hosted: Type.Boolean(),
    receipt: Type.Boolean(),
    button: textOrNull,
    thanks: textOrNull,
    action: Type.String({ description: "what a page posts to, and the form's own page where it has one" }),
    created_at: time,
  },
  { $id: "Form" },
)
export const pageOfForm = Type.Object({
  page: Type.Optional(
    httpAddress({
      description: "of the page that will hold the form, under an address that the project has declared",
    }),
  ),
})
