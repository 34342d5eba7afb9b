import type { Engine } from "../words.ts"

/** Files that came from outside, and those of form responses. */
export function files(engine: Engine): string {
  const isSqlite = engine === "sqlite"
  const [integer, text, bytes] = isSqlite
    ? ["INTEGER", "TEXT", "BLOB"]
    : ["bigint", 'text COLLATE "C"', "bytea"]
  const large = isSqlite ? " STRICT" : ""
  const keyed = isSqlite ? " STRICT, WITHOUT ROWID" : ""
  return `
CREATE TABLE stored_file (id ${text} NOT NULL, workspace_id ${text} NOT NULL, bytes ${integer} NOT NULL,
  media_type ${text} NOT NULL, hash ${text} NOT NULL, place ${text} NOT NULL, part_bytes ${integer} NOT NULL,
  created_at ${integer} NOT NULL, removed_at ${integer}, PRIMARY KEY (id))${large};
CREATE TABLE stored_file_part (file_id ${text} NOT NULL REFERENCES stored_file ON DELETE CASCADE,
  number ${integer} NOT NULL, bytes ${bytes} NOT NULL, PRIMARY KEY (file_id, number))${large};
${isSqlite ? "" : "ALTER TABLE stored_file_part ALTER COLUMN bytes SET STORAGE EXTERNAL;"}
CREATE TABLE file_space (workspace_id ${text} NOT NULL REFERENCES workspace ON DELETE CASCADE,
  bytes ${integer} NOT NULL, PRIMARY KEY (workspace_id))${keyed};
CREATE TABLE form_response_file (file_id ${text} NOT NULL REFERENCES stored_file ON DELETE CASCADE,
  response_id ${text} NOT NULL REFERENCES form_response ON DELETE CASCADE, field ${text} NOT NULL,
  place ${integer} NOT NULL, name ${text} NOT NULL, PRIMARY KEY (file_id))${keyed};
CREATE INDEX form_response_file_by_response ON form_response_file (response_id, place);
`
}
