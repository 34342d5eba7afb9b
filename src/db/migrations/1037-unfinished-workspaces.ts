import type { Engine } from "../words.ts"

/** A workspace that is being read in from a file is known as such, should whoever reads it be killed. */
export function unfinishedWorkspaces(engine: Engine): string {
  const integer = engine === "sqlite" ? "INTEGER" : "bigint"
  return `ALTER TABLE workspace ADD COLUMN is_unfinished ${integer} NOT NULL DEFAULT 0;`
}
