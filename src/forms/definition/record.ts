import { type TSchema, Type } from "@sinclair/typebox"
import { type Detail, detail } from "../../base/errors.ts"
import { isLine } from "../../base/text.ts"
import { ruled, told } from "../../http/record/rule.ts"
import {
  changeOf,
  dayOrTime,
  email,
  filledLine,
  filledText,
  httpAddress,
  oneOf,
  orNull,
  projectId,
  textOrNull,
  time,
  timeOrNull,
  wholeOrNull,
} from "../../http/record/schemas.ts"
import { fileKinds } from "../files/file-kind.ts"
import { isEmail } from "./address.ts"
import {
  type Field,
  isReserved,
  maxButtonLength,
  maxConsentLength,
  maxFields,
  maxFiles,
  maxHelpLength,
  maxLabelLength,
  maxMaxResponses,
  maxMegabytes,
  maxNameLength,
  maxOptionLength,
  maxOptions,
  maxParagraphLength,
  maxPlaceholderLength,
  maxRetentionDays,
  maxThanksLength,
  minRetentionDays,
  type Option,
} from "./field.ts"
import { type FieldType, fieldRules, fieldTypes, hasPart, hasValue } from "./field-types.ts"
import { maxNotify } from "./notify.ts"
import { whenRecord } from "./when.ts"

/** `openapi.json` publishes these schemas. `checkedForm` judges what a schema cannot say. */

/** Off unless said otherwise. */
const flag = told(ruled(Type.Boolean(), { absent: false }), "forms.trueOrFalse")

const consentText = ruled(filledText({ maxLength: maxConsentLength }), {
  read: (typed: string) => (isParagraphs(typed, maxConsentLength) ? typed : undefined),
})
const consent = Type.Object({
  text: told(consentText, "forms.consentText", { max: maxConsentLength }),
  confirmation: Type.Optional(flag),
})
const noticeAddress = told(
  ruled(email(), { read: (typed: string) => (isEmail(typed) ? typed : undefined) }),
  "forms.ownerMailTo",
)
const ownerMail = Type.Object({
  to: noticeAddress,
  contents: Type.Optional(flag),
})

const nameRule = /^[a-z][a-z0-9_]{0,63}$/
const name = ruled(
  Type.String({ pattern: nameRule.source, not: { pattern: "^(page$|consent$|guichet_)" } }),
  { read: (typed: string) => (nameRule.test(typed) ? typed : undefined) },
)
const label = told(filledLine({ maxLength: maxLabelLength }), "forms.fieldLabel", { max: maxLabelLength })
const fieldName = told(name, "forms.fieldName")
const when = Type.Optional(told(orNull(whenRecord), "forms.when"))
const commonProperties = {
  name: fieldName,
  label,
  required: Type.Optional(flag),
  help: optional(filledLine({ maxLength: maxHelpLength }), maxHelpLength),
  placeholder: optional(filledLine({ maxLength: maxPlaceholderLength }), maxPlaceholderLength),
  when,
}
const bound = Type.Optional(told(orNull(Type.Number()), "forms.bound"))
const option = optionSchema("")
/** Only choice types have options. */
const field = told(
  Type.Union([
    shape({
      ...commonProperties,
      type: typeRule(fieldTypes.filter((type) => !hasPart(type, "options") && !hasPart(type, "text"))),
      min: bound,
      max: bound,
      integer: Type.Optional(
        told(ruled(Type.Boolean(), { read: (typed: boolean) => typed || null }), "forms.trueOrFalse"),
      ),
      accept: Type.Optional(
        told(orNull(Type.Array(oneOf(fileKinds), { minItems: 1 })), "forms.fileKinds", {
          kinds: fileKinds.join(", "),
        }),
      ),
      files: wholeUpTo(maxFiles),
      megabytes: wholeUpTo(maxMegabytes),
      options: Type.Optional(
        told(ruled(Type.Array(option, { maxItems: 0 }), { absent: [], isWhole: true }), "forms.noOptions"),
      ),
    }),
    shape({ ...commonProperties, type: typeRule(typesByValue("option")), options: optionsSchema(option) }),
    shape({
      ...commonProperties,
      type: Type.Union(typesByValue("options").map((type) => Type.Literal(type))),
      // The chosen values are joined by a comma, so that none of them may hold one.
      options: optionsSchema(optionSchema(",")),
    }),
    shape(
      {
        name: fieldName,
        label: told(paragraphs(maxParagraphLength), "forms.paragraph", { max: maxParagraphLength }),
        type: Type.Union([Type.Literal("paragraph")]),
        required: Type.Optional(flag),
        when,
      },
      "forms.notOfThisType",
    ),
  ]),
  "forms.fieldShape",
)

function wholeUpTo(max: number) {
  const whole = Type.Integer({ minimum: 1, maximum: max })
  return Type.Optional(told(orNull(whole), "forms.wholeUpTo", { max }))
}

function typeRule(types: readonly FieldType[]) {
  return told(oneOf(types), "forms.fieldType", { types: fieldTypes.join(", ") })
}

function typesByValue(value: "option" | "options"): FieldType[] {
  return fieldTypes.filter((type) => fieldRules[type].value === value)
}

function shape<Properties extends Record<string, TSchema>>(
  properties: Properties,
  elsewhere: "forms.noBounds" | "forms.notOfThisType" = "forms.noBounds",
) {
  return ruled(Type.Object(properties), { read: readField, elsewhere: detail(elsewhere) })
}

/** An absent, null or empty text or bound is left out of the stored field, and so is a rule that is off. */
function readField(members: Partial<Field>, refuse: (member: string, told: Detail) => void): object {
  const { name, type, options, min, max, integer } = members
  if (name !== undefined && isReserved(name)) refuse("name", detail("forms.reservedName"))
  if (type && fieldRules[type].value === "options" && options?.some(({ value }) => value.includes(",")))
    refuse("options", detail("forms.commaInOption"))
  if (type && !hasPart(type, "bounds")) {
    if (typeof min === "number") refuse("min", detail("forms.noBounds"))
    if (typeof max === "number") refuse("max", detail("forms.noBounds"))
    if (integer) refuse("integer", detail("forms.noBounds"))
  } else if (typeof min === "number" && typeof max === "number" && min > max)
    refuse("max", detail("forms.boundsReversed"))
  if (type && !hasPart(type, "files"))
    for (const part of ["accept", "files", "megabytes"] as const)
      if (members[part]) refuse(part, detail("forms.onlyForFiles"))
  const text = type && !hasValue({ type }) ? { required: false, options: [] } : {}
  return { ...Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)), ...text }
}

function optionSchema(excluded: string) {
  const { pattern, ...value } = filledLine({ maxLength: maxOptionLength })
  return Type.Object({
    value: excluded === "" ? { ...value, pattern } : { ...value, pattern, not: { pattern: excluded } },
    label: filledLine({ maxLength: maxLabelLength }),
  })
}

function optionsSchema<Shape extends TSchema>(shape: Shape) {
  const options = ruled(Type.Array(shape, { minItems: 1, maxItems: maxOptions }), {
    isWhole: true,
    read: (typed: Option[]) =>
      new Set(typed.map(({ value }) => value)).size === typed.length ? typed : undefined,
  })
  return told(options, "forms.options", { maxOptions, maxLength: maxOptionLength })
}

/** The usual text where it is absent, null or empty. */
function optional<Schema extends TSchema>(text: Schema, max: number) {
  return Type.Optional(told(Type.Union([text, Type.Literal(""), Type.Null()]), "forms.shortText", { max }))
}

/** A paragraph or two: line breaks are allowed, other control characters are not. */
export function isParagraphs(text: string, maxLength: number): boolean {
  return text.trim() !== "" && isLine(text.replace(/[\r\n\t]/g, " "), maxLength)
}

function paragraphs(maxLength: number) {
  return ruled(filledText({ maxLength }), {
    read: (typed: string) => (isParagraphs(typed, maxLength) ? typed.trim() : undefined),
  })
}

const thanks = paragraphs(maxThanksLength)
const maxResponses = Type.Integer({ minimum: 1, maximum: maxMaxResponses })
const retentionDays = Type.Integer({ minimum: minRetentionDays, maximum: maxRetentionDays })

const described = Type.Object(
  {
    project: projectId,
    name: told(filledLine({ maxLength: maxNameLength }), "forms.formName"),
    fields: told(Type.Array(field, { minItems: 1, maxItems: maxFields }), "forms.fieldCount", {
      max: maxFields,
    }),
    consent: Type.Optional(orNull(consent)),
    redirect_url: Type.Optional(
      told(Type.Union([httpAddress(), Type.Literal(""), Type.Null()]), "forms.redirectUrl"),
    ),
    retention_days: Type.Optional(
      told(orNull(retentionDays), "forms.retentionDays", {
        min: minRetentionDays,
        max: maxRetentionDays,
      }),
    ),
    notify: Type.Optional(
      told(Type.Array(noticeAddress, { maxItems: maxNotify }), "forms.notify", { max: maxNotify }),
    ),
    notify_contents: Type.Optional(told(Type.Boolean(), "forms.trueOrFalse")),
    owner_mail: Type.Optional(orNull(ownerMail)),
    hosted: Type.Optional(told(Type.Boolean(), "forms.trueOrFalse")),
    receipt: Type.Optional(told(Type.Boolean(), "forms.trueOrFalse")),
    button: optional(filledLine({ maxLength: maxButtonLength }), maxButtonLength),
    thanks: optional(thanks, maxThanksLength),
    opens_at: Type.Optional(orNull(dayOrTime())),
    closes_at: Type.Optional(orNull(dayOrTime({ isEnd: true }))),
    max_responses: Type.Optional(told(orNull(maxResponses), "forms.maxResponses", { max: maxMaxResponses })),
    proof_of_work: Type.Optional(told(Type.Boolean(), "forms.trueOrFalse")),
    prefill: Type.Optional(told(Type.Boolean(), "forms.trueOrFalse")),
  },
  { $id: "NewForm" },
)
export const newForm = told(described, "forms.invalidForm")
export const formChange = told(
  changeOf(Type.Omit(described, ["project"], { $id: "Form" })),
  "forms.invalidForm",
)

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
        integer: Type.Optional(Type.Boolean()),
        accept: Type.Optional(Type.Array(oneOf(fileKinds))),
        files: Type.Optional(Type.Integer()),
        megabytes: Type.Optional(Type.Integer()),
        options: Type.Optional(Type.Array(option)),
        when: Type.Optional(whenRecord),
      }),
    ),
    consent: orNull(Type.Object({ text: Type.String(), confirmation: Type.Boolean() })),
    redirect_url: textOrNull,
    retention_days: wholeOrNull,
    notify: Type.Array(Type.String()),
    notify_pending: Type.Array(Type.String()),
    notify_contents: Type.Boolean(),
    owner_mail: orNull(Type.Object({ to: Type.String(), contents: Type.Boolean() })),
    hosted: Type.Boolean(),
    receipt: Type.Boolean(),
    button: textOrNull,
    thanks: textOrNull,
    opens_at: timeOrNull,
    closes_at: timeOrNull,
    max_responses: wholeOrNull,
    proof_of_work: Type.Boolean(),
    prefill: Type.Boolean(),
    action: Type.String(),
    created_at: time,
  },
  { $id: "Form" },
)
export const pageOfForm = Type.Object({
  page: Type.Optional(httpAddress()),
})

/** Whom a confirmation is asked of once more. */
export const noticeLink = Type.Object({ to: noticeAddress }, { $id: "NoticeLink" })
