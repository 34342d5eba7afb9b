import { text } from "./baseline/text.ts"

/** As in the step of SQLite. */
export const widget = `
CREATE TABLE widget_settings (
  project_id ${text} PRIMARY KEY REFERENCES project ON DELETE CASCADE,
  title ${text},
  introduction ${text},
  suggestions ${text} NOT NULL,
  color ${text},
  position ${text} NOT NULL,
  contact_form_id ${text} REFERENCES form ON DELETE SET NULL,
  contact_field ${text}
);
CREATE INDEX widget_settings_by_form ON widget_settings (contact_form_id);

CREATE TABLE widget_sighting (
  project_id ${text} PRIMARY KEY REFERENCES project ON DELETE CASCADE,
  seen_at bigint NOT NULL
);

CREATE TABLE contact_count (
  project_id ${text} NOT NULL REFERENCES project ON DELETE CASCADE,
  day ${text} NOT NULL,
  offered bigint NOT NULL,
  solved bigint NOT NULL,
  PRIMARY KEY (project_id, day)
);

ALTER TABLE answer ADD COLUMN reason ${text};
ALTER TABLE form_response ADD COLUMN answer_id ${text};
`
