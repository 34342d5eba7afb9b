import type { Engine } from "../words.ts"

/** Endpoints get other events than messages of forms, once their owner asks for these. */
export function eventsThatAreAskedFor(engine: Engine): string {
  const text = engine === "sqlite" ? "TEXT" : 'text COLLATE "C"'
  const integer = engine === "sqlite" ? "INTEGER" : "bigint"
  return `
ALTER TABLE endpoint ADD COLUMN events ${text};
ALTER TABLE message ADD COLUMN project_id ${text} REFERENCES project ON DELETE CASCADE;
CREATE INDEX message_by_project ON message (project_id) WHERE project_id IS NOT NULL;
ALTER TABLE indexing_run ADD COLUMN failure_told ${integer} NOT NULL DEFAULT 0;
`
}
