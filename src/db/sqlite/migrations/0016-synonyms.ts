/** Groups of words that an owner declares to mean the same. */
export const synonyms = `
CREATE TABLE synonym_group (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES project ON DELETE CASCADE,
  words TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX synonym_group_of_project ON synonym_group (project_id, id);
`
