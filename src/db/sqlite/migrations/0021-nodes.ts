/** The nodes that share a PostgreSQL database, and what each of them is doing. Empty on SQLite. */
export const nodes = `
CREATE TABLE node (
  id TEXT PRIMARY KEY,
  host TEXT NOT NULL,
  version TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  beat_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
ALTER TABLE job ADD COLUMN node_id TEXT;
ALTER TABLE mail ADD COLUMN node_id TEXT;
ALTER TABLE asked_indexing ADD COLUMN node_id TEXT;
`
