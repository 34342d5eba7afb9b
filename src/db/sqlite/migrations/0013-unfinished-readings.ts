/** Progress of unfinished readings, so that a reading that gave way to others resumes where it was. */
export const unfinishedReadings = `
CREATE TABLE unfinished_reading (
  project_id TEXT PRIMARY KEY REFERENCES project ON DELETE CASCADE,
  generation INTEGER NOT NULL,
  begun_at INTEGER NOT NULL,
  touched_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE unfinished_page (
  feed_id TEXT NOT NULL REFERENCES feed ON DELETE CASCADE,
  page TEXT NOT NULL,
  outcome TEXT NOT NULL,
  path TEXT,
  url TEXT,
  reason TEXT,
  detail TEXT,
  PRIMARY KEY (feed_id, page)
) STRICT, WITHOUT ROWID;
`
