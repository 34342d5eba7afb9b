import { text } from "./baseline/text.ts"

/** As in the step of SQLite. */
export const nodes = `
CREATE TABLE node (
  id ${text} PRIMARY KEY,
  host ${text} NOT NULL,
  version ${text} NOT NULL,
  started_at bigint NOT NULL,
  beat_at bigint NOT NULL
);
ALTER TABLE job ADD COLUMN node_id ${text};
ALTER TABLE mail ADD COLUMN node_id ${text};
ALTER TABLE asked_indexing ADD COLUMN node_id ${text};
`
