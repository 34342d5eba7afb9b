import type { Engine } from "../words.ts"

/** Files that owners upload. */
export function uploads(engine: Engine): string {
  const isSqlite = engine === "sqlite"
  const text = isSqlite ? "TEXT" : 'text COLLATE "C"'
  const keyed = isSqlite ? " STRICT, WITHOUT ROWID" : ""
  return `
CREATE TABLE upload (id ${text} NOT NULL, feed_id ${text} NOT NULL REFERENCES feed ON DELETE CASCADE,
  file_id ${text} NOT NULL REFERENCES stored_file ON DELETE CASCADE, name ${text} NOT NULL, PRIMARY KEY (id),
  UNIQUE (feed_id, name))${keyed};
CREATE INDEX upload_by_file ON upload (file_id);
`
}
