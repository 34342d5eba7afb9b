/** Versions of the widget and the form helper that pages may name by their hash. */
export const scripts = `
CREATE TABLE script (
  name TEXT NOT NULL,
  hash TEXT NOT NULL,
  text TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (name, hash)
) STRICT, WITHOUT ROWID;
`
