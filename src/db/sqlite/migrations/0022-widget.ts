/** How a project's widget looks, the form that it offers, and why an answer did not help. */
export const widget = `
CREATE TABLE widget_settings (
  project_id TEXT PRIMARY KEY REFERENCES project ON DELETE CASCADE,
  title TEXT,
  introduction TEXT,
  suggestions TEXT NOT NULL,
  color TEXT,
  position TEXT NOT NULL,
  contact_form_id TEXT REFERENCES form ON DELETE SET NULL,
  contact_field TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX widget_settings_by_form ON widget_settings (contact_form_id);

CREATE TABLE widget_sighting (
  project_id TEXT PRIMARY KEY REFERENCES project ON DELETE CASCADE,
  seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE contact_count (
  project_id TEXT NOT NULL REFERENCES project ON DELETE CASCADE,
  day TEXT NOT NULL,
  offered INTEGER NOT NULL,
  solved INTEGER NOT NULL,
  PRIMARY KEY (project_id, day)
) STRICT, WITHOUT ROWID;

ALTER TABLE answer ADD COLUMN reason TEXT;
ALTER TABLE form_response ADD COLUMN answer_id TEXT;
`
