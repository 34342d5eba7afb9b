import { text } from "./baseline/text.ts"

/** As in the step of SQLite. Archives are compressed: PostgreSQL need not try. */
export const archives = `
ALTER TABLE generation ADD COLUMN archive ${text};

CREATE TABLE archive (
  key ${text} PRIMARY KEY,
  project_id ${text} NOT NULL,
  number bigint NOT NULL,
  bytes bigint NOT NULL,
  index_bytes bigint NOT NULL,
  begun_at bigint NOT NULL
);

CREATE TABLE archive_part (
  key ${text} NOT NULL,
  number bigint NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (key, number)
);
ALTER TABLE archive_part ALTER COLUMN bytes SET STORAGE EXTERNAL;
`
