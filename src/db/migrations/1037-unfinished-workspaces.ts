import type { Engine } from "../words.ts"

/** Marks a workspace while a file is imported into it: a killed import is recognised and removed. */
export function unfinishedWorkspaces(engine: Engine): string {
  const integer = engine === "sqlite" ? "INTEGER" : "bigint"
  return `ALTER TABLE workspace ADD COLUMN is_unfinished ${integer} NOT NULL DEFAULT 0;`
}
