/**
 * What people asked of an index and were told that it will be done: a stop of the service does not forget it.
 */
export const askedIndexing = `
CREATE TABLE asked_indexing (
  project_id TEXT NOT NULL REFERENCES project ON DELETE CASCADE,
  command TEXT NOT NULL,
  PRIMARY KEY (project_id, command)
) STRICT, WITHOUT ROWID;
`
