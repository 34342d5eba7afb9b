import type { Engine } from "../words.ts"

/** Members of a workspace follow up what they received: how far it is, who has it, and notes. */
export function followUpOfResponses(engine: Engine): string {
  const text = engine === "sqlite" ? "TEXT" : 'text COLLATE "C"'
  const integer = engine === "sqlite" ? "INTEGER" : "bigint"
  return `
ALTER TABLE form_response ADD COLUMN progress ${text} NOT NULL DEFAULT 'todo';
ALTER TABLE form_response ADD COLUMN assignee ${text} REFERENCES operator ON DELETE SET NULL;
CREATE INDEX form_response_by_assignee ON form_response (assignee) WHERE assignee IS NOT NULL;
CREATE TABLE form_response_note (id ${text} NOT NULL,
  response_id ${text} NOT NULL REFERENCES form_response ON DELETE CASCADE,
  author ${text} NOT NULL, note ${text} NOT NULL, created_at ${integer} NOT NULL,
  PRIMARY KEY (id))${engine === "sqlite" ? " STRICT" : ""};
CREATE INDEX form_response_note_by_response ON form_response_note (response_id, id);
`
}
