import type { Engine } from "../words.ts"

/** Programs ask and read what a project's owner opens to them, and their questions are told apart. */
export function askedByPrograms(engine: Engine): string {
  const flag = `${engine === "sqlite" ? "INTEGER" : "bigint"} NOT NULL DEFAULT 0`
  return `
ALTER TABLE project ADD COLUMN mcp_enabled ${flag};
ALTER TABLE project ADD COLUMN llms_enabled ${flag};
ALTER TABLE answer ADD COLUMN via ${engine === "sqlite" ? "TEXT" : 'text COLLATE "C"'};
`
}
