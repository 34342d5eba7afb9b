import { Type } from "@sinclair/typebox"
import { type Detail, detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { changeRows } from "../../db/store.ts"
import { lockUntilCommit } from "../../db/with-lock.ts"
import { ruled, told } from "../../http/record/rule.ts"
import { text } from "../../http/record/schemas.ts"

/**
 * An endpoint gets the messages of a form only where a field has one of some values. This is judged when the message
 * is made: whatever is on its way goes on. Forms without a condition are not concerned.
 */
export interface Condition {
  form: string
  field: string
  values: string[]
}

export const maxConditions = 10
export const maxConditionValues = 20
const maxValueLength = 200

const shape = Type.Object({
  form: Type.String(),
  field: Type.String({ maxLength: 100 }),
  values: told(
    ruled(Type.Array(text({ maxLength: maxValueLength }), { minItems: 1, maxItems: maxConditionValues }), {
      isWhole: true,
    }),
    "webhooks.conditionValues",
    { max: maxConditionValues, maxLength: maxValueLength },
  ),
})

export const conditions = told(Type.Array(shape, { maxItems: maxConditions }), "webhooks.conditions", {
  max: maxConditions,
})

type StoredCondition = Condition & { isList?: true }

/** Between the options of such a field, in the value that messages have. */
const separator = ", "

/**
 * The `conditions` column. Throws Refusal `invalid_request` for forms that the workspace does not have, and for fields
 * and values that these do not have, or whose values cannot be compared.
 */
export async function storedConditions(
  transaction: Db,
  workspaceId: string,
  given: readonly Condition[],
): Promise<string | null> {
  if (given.length === 0) return null
  await holdConditions(transaction, workspaceId)
  const forms = await fieldsOfForms(transaction, workspaceId, formIds(given))
  const wrong: Record<string, Detail> = {}
  for (const [place, condition] of given.entries()) {
    const fields = forms.get(condition.form)
    const fault = fields ? faultIn(condition, fields) : (["form", detail("webhooks.unknownForm")] as const)
    if (fault) wrong[`conditions.${place}.${fault[0]}`] = fault[1]
  }
  if (Object.keys(wrong).length > 0)
    throw new Refusal("invalid_request", detail("webhooks.invalidEndpoint"), { fields: wrong })
  return storedFor(given, forms)
}

/** Until the end of the transaction no other one changes conditions, or the fields that they go by. */
function holdConditions(transaction: Db, workspaceId: string): Promise<void> {
  return lockUntilCommit(transaction, `conditions:${workspaceId}`)
}

/**
 * Adapts the conditions on a form to its new fields, in the transaction that stores these. Resolves to the conditions
 * that a message could meet by the old fields, and by the new ones cannot, or not for each value; `store` updates the
 * rest.
 */
export async function followFields(
  transaction: Db,
  { id: formId, workspaceId, fields: before }: FormFields,
  fields: readonly FormField[],
): Promise<FollowedFields> {
  await holdConditions(transaction, workspaceId)
  const rows = await transaction
    .selectFrom("endpoint")
    .select(["id", "url", "description", "conditions"])
    .where("workspace_id", "=", workspaceId)
    .where("conditions", "is not", null)
    .execute()
  const on = rows.flatMap(({ conditions, ...endpoint }) => {
    const all = JSON.parse(conditions as string) as StoredCondition[]
    return all.some(({ form }) => form === formId) ? [{ ...endpoint, all }] : []
  })
  return {
    lost: on.flatMap(({ url, description, all }) =>
      all
        .filter((each) => each.form === formId && !faultIn(each, before) && faultIn(each, fields))
        .map(({ field }) => ({ field, endpoint: description || new URL(url).hostname })),
    ),
    async store() {
      for (const { id, all } of on)
        await changeRows(
          transaction,
          "endpoint",
          { id },
          { conditions: storedFor(all, new Map([[formId, fields]])) },
        )
    },
  }
}

interface FormFields {
  id: string
  workspaceId: string
  fields: readonly FormField[]
}

export interface FormField {
  name: string
  type: string
  options?: readonly { value: string }[]
}

interface FollowedFields {
  lost: { field: string; endpoint: string }[]
  store(): Promise<void>
}

/** With the kind of each field, of forms that are not among `forms` as it was. */
function storedFor(given: readonly StoredCondition[], forms: ReadonlyMap<string, readonly FormField[]>) {
  const all = given.map(({ form, field, values, isList: wasList }): StoredCondition => {
    const fields = forms.get(form)
    const isList = fields ? fields.some(({ name, type }) => name === field && type === "checkboxes") : wasList
    return { form, field, values, ...(isList && { isList }) }
  })
  return JSON.stringify(all)
}

/** The fault of a condition on a form with these fields, and the member that has it. */
export function faultIn(
  { field, values }: Omit<Condition, "form">,
  fields: readonly FormField[],
): readonly ["field" | "values", Detail] | undefined {
  const formField = fields.find(({ name }) => name === field)
  if (!formField || !isComparable(formField)) return ["field", detail("webhooks.unknownField", { field })]
  const unknown = values.find((value) => !mayHave(formField, value))
  return unknown === undefined
    ? undefined
    : ["values", detail("webhooks.unknownValue", { value: unknown, field })]
}

/** Whether messages can have this value of a field. What visitors type may be anything. */
function mayHave({ type, options = [] }: FormField, value: string): boolean {
  const isOption = (each: string) => options.some((option) => option.value === each)
  if (type === "checkbox") return value === "" || value === "oui"
  if (type === "select" || type === "radio") return value === "" || isOption(value)
  return type !== "checkboxes" || value === "" || isOption(value) || value.split(separator).every(isOption)
}

export async function conditionsIn(db: Db, workspaceId: string, stored: string | null): Promise<Condition[]> {
  if (stored === null) return []
  const all = JSON.parse(stored) as StoredCondition[]
  const forms = await fieldsOfForms(db, workspaceId, formIds(all))
  return all.filter(({ form }) => forms.has(form)).map(({ form, field, values }) => ({ form, field, values }))
}

/** Whether an endpoint with this `conditions` column gets a message of a form with these values. */
export function meetsConditions(stored: string | null, formId: string | null, data: object): boolean {
  if (stored === null) return true
  const { values = {} } = data as { values?: Readonly<Record<string, unknown>> }
  return (JSON.parse(stored) as StoredCondition[])
    .filter(({ form }) => form === formId)
    .every(({ field, values: wanted, isList }) => {
      const value = Object.hasOwn(values, field) ? String(values[field]) : undefined
      if (value === undefined) return false
      return (
        wanted.includes(value) || (isList && value.split(separator).some((each) => wanted.includes(each)))
      )
    })
}

function formIds(all: readonly Condition[]): string[] {
  return [...new Set(all.map(({ form }) => form))]
}

/** Other fields have no value in a message, or another in each: a link to a file. */
export function isComparable({ type }: { type: string }): boolean {
  return !["paragraph", "page", "file"].includes(type)
}

async function fieldsOfForms(db: Db, workspaceId: string, ids: readonly string[]) {
  const rows = await db
    .selectFrom("form")
    .innerJoin("project", "project.id", "form.project_id")
    .select(["form.id", "form.fields"])
    .where("project.workspace_id", "=", workspaceId)
    .where("form.id", "in", ids)
    .where("form.removed_at", "is", null)
    .execute()
  return new Map(rows.map(({ id, fields }) => [id, JSON.parse(fields) as FormField[]]))
}
