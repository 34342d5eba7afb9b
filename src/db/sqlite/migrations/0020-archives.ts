/** Indexes that nodes share: which archives there are, and their parts where no object store is set. */
export const archives = `
ALTER TABLE generation ADD COLUMN archive TEXT;

CREATE TABLE archive (
  key TEXT PRIMARY KEY,
  project_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  index_bytes INTEGER NOT NULL,
  begun_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE archive_part (
  key TEXT NOT NULL,
  number INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (key, number)
) STRICT;
`
