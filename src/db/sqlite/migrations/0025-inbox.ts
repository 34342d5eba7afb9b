/**
 * Which form responses were read, and their words for the search. What was received before this step counts as
 * read. The words of a response go with it: secure-delete takes them out of the index at once.
 *
 * The questions of a project are counted by day from one index, which therefore holds all that is counted.
 */
export const inbox = `
ALTER TABLE form_response ADD COLUMN read_at INTEGER;
UPDATE form_response SET read_at = created_at;
CREATE INDEX form_response_unread ON form_response (form_id, state, id) WHERE read_at IS NULL;

CREATE TABLE form_response_text (
  number INTEGER PRIMARY KEY,
  response_id TEXT NOT NULL UNIQUE REFERENCES form_response ON DELETE CASCADE,
  scope TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE VIRTUAL TABLE form_response_search USING fts5(
  scope, text, content = 'form_response_text', content_rowid = 'number', detail = column,
  tokenize = "unicode61 remove_diacritics 2", prefix = '2 3'
);
INSERT INTO form_response_search (form_response_search, rank) VALUES ('secure-delete', 1);
CREATE TRIGGER form_response_text_added AFTER INSERT ON form_response_text BEGIN
  INSERT INTO form_response_search (rowid, scope, text) VALUES (new.number, new.scope, new.text);
END;
CREATE TRIGGER form_response_text_removed AFTER DELETE ON form_response_text BEGIN
  INSERT INTO form_response_search (form_response_search, rowid, scope, text)
  VALUES ('delete', old.number, old.scope, old.text);
END;
INSERT INTO form_response_text (response_id, scope, text)
  SELECT form_response.id, form.project_id || ' ' || substr(form.id, 6),
    coalesce(substr((SELECT group_concat(value, ' ') FROM json_each(field_values)), 1, 10000), '')
  FROM form_response JOIN form ON form.id = form_response.form_id
  ORDER BY form_response.id;

DROP INDEX answer_by_project;
CREATE INDEX answer_by_project ON answer (project_id, id, created_at, status, courtesy, useful);
CREATE INDEX answer_unanswered ON answer (id, project_id) WHERE status = 'no_answer' AND courtesy IS NULL;
`
