/** Requested indexing runs, which were promised to somebody: they survive a stop of the service. */
export const askedIndexing = `
CREATE TABLE asked_indexing (
  project_id TEXT NOT NULL REFERENCES project ON DELETE CASCADE,
  command TEXT NOT NULL,
  PRIMARY KEY (project_id, command)
) STRICT, WITHOUT ROWID;
`
