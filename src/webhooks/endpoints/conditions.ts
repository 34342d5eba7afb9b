import { Type } from "@sinclair/typebox"
import { type Detail, detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { ruled, told } from "../../http/record/rule.ts"
import { text } from "../../http/record/schemas.ts"

/**
 * An endpoint gets the messages of a form only where a field has one of some values. This is judged when the message
 * is made: whatever is on its way goes on. Forms without a condition are not concerned.
 */
export interface Condition {
  form: string
  /** Its variable name. */
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

/** `isList`: the field has several of its options, of which one is enough. */
type StoredCondition = Condition & { isList?: true }

/** Between the options of such a field, in the value that messages have. */
const separator = ", "

/**
 * The `conditions` column. Throws Refusal `invalid_request` for forms that the workspace does not have, and for fields
 * that these do not have, or whose values cannot be compared.
 */
export async function storedConditions(
  transaction: Db,
  workspaceId: string,
  given: readonly Condition[],
): Promise<string | null> {
  if (given.length === 0) return null
  const forms = await fieldsOfForms(transaction, workspaceId, formIds(given))
  const wrong: Record<string, Detail> = {}
  const stored = given.map(({ form, field, values }, place): StoredCondition => {
    const fields = forms.get(form)
    const type = fields?.get(field)
    if (!fields) wrong[`conditions.${place}.form`] = detail("webhooks.unknownForm")
    else if (type === undefined)
      wrong[`conditions.${place}.field`] = detail("webhooks.unknownField", { field })
    return { form, field, values, ...(type === "checkboxes" && { isList: true as const }) }
  })
  if (Object.keys(wrong).length > 0)
    throw new Refusal("invalid_request", detail("webhooks.invalidEndpoint"), { fields: wrong })
  return JSON.stringify(stored)
}

/** Without those of forms that were removed. */
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

/** By form, the type of each field by its variable name. */
async function fieldsOfForms(db: Db, workspaceId: string, ids: readonly string[]) {
  const rows = await db
    .selectFrom("form")
    .innerJoin("project", "project.id", "form.project_id")
    .select(["form.id", "form.fields"])
    .where("project.workspace_id", "=", workspaceId)
    .where("form.id", "in", ids)
    .where("form.removed_at", "is", null)
    .execute()
  const typesIn = (fields: string) =>
    new Map(
      (JSON.parse(fields) as { name: string; type: string }[])
        .filter(isComparable)
        .map(({ name, type }) => [name, type]),
    )
  return new Map(rows.map(({ id, fields }) => [id, typesIn(fields)]))
}
