import type { TSchema } from "@sinclair/typebox"
import { type Detail, type DetailParams, detail } from "../../base/errors.ts"

/** The part of a schema that `openapi.json` does not tell: how a value is read, and how it is refused. */
export interface Rule {
  /** Said of a value that breaks the rule, instead of a sentence made from the schema. */
  told?: Detail
  /**
   * The value in the form in which it is stored; undefined for one that breaks the rule. `refuse` names a member of an
   * object by itself, whose members were read before. `timezone` is that of times that name none.
   */
  read?(value: never, refuse: (member: string, told: Detail) => void, timezone?: string): unknown
  /** Stands for an optional member that is absent. */
  absent?: unknown
  /** A list: one wrong item makes it wrong as a whole, so that its own sentence is said of it. */
  isWhole?: true
  /** One of several shapes: said of a member that another shape has. */
  elsewhere?: Detail
}

/** Its key is a symbol, which JSON leaves out. */
const key = Symbol("rule")

export function ruleOf(schema: TSchema): Rule {
  return (schema as { [key]?: Rule })[key] ?? {}
}

export function ruled<Schema extends TSchema>(schema: Schema, rule: Rule): Schema {
  return { ...schema, [key]: { ...ruleOf(schema), ...rule } }
}

/** A schema whose values are refused by this sentence. */
export function told<Schema extends TSchema>(schema: Schema, code: string, params?: DetailParams): Schema {
  return ruled(schema, { told: detail(code, params) })
}
