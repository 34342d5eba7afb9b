import type { Engine } from "../words.ts"

/** Whether the address of a form's own page may fill in its fields. */
export function prefilledForms(engine: Engine): string {
  return `ALTER TABLE form ADD COLUMN prefill ${engine === "sqlite" ? "INTEGER" : "bigint"} NOT NULL DEFAULT 0;`
}
