/**
 * Conversations and marks of answers, the owner's own answers, and the questions that a project is tried with after
 * each reading. `answer_overview` takes the place of an index with the same beginning: it also holds what a period
 * is counted by, and `answer_search` the folded text that is searched.
 */
export const questions = `
ALTER TABLE answer ADD COLUMN conversation TEXT;
ALTER TABLE answer ADD COLUMN folded TEXT;
ALTER TABLE answer ADD COLUMN gap TEXT;
ALTER TABLE answer ADD COLUMN chosen_id TEXT;
DROP INDEX answer_by_project;
CREATE INDEX answer_overview ON answer (project_id, id, created_at, status, useful, courtesy, page);
CREATE INDEX answer_search ON answer (project_id, id, folded);
CREATE INDEX answer_by_conversation ON answer (project_id, conversation, id) WHERE conversation IS NOT NULL;
CREATE INDEX answer_by_chosen ON answer (project_id, chosen_id, id) WHERE chosen_id IS NOT NULL;
CREATE INDEX answer_unfolded ON answer (id) WHERE folded IS NULL;

CREATE TABLE chosen_answer (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES project ON DELETE CASCADE,
  answer TEXT NOT NULL,
  sources TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  checked_generation INTEGER,
  missing INTEGER NOT NULL DEFAULT 0,
  set_aside_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX chosen_answer_of_project ON chosen_answer (project_id, id, changed_at);

CREATE TABLE chosen_question (
  chosen_id TEXT NOT NULL REFERENCES chosen_answer ON DELETE CASCADE,
  place INTEGER NOT NULL,
  question TEXT NOT NULL,
  model TEXT,
  vector BLOB,
  PRIMARY KEY (chosen_id, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE gap_mail (
  project_id TEXT NOT NULL REFERENCES project ON DELETE CASCADE,
  operator_id TEXT NOT NULL REFERENCES operator ON DELETE CASCADE,
  since INTEGER NOT NULL,
  PRIMARY KEY (project_id, operator_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE evaluation_question (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES project ON DELETE CASCADE,
  question TEXT NOT NULL,
  page TEXT,
  text TEXT,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX evaluation_question_of_project ON evaluation_question (project_id, id);

CREATE TABLE evaluation_run (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES project ON DELETE CASCADE,
  generation INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  total INTEGER NOT NULL,
  passed INTEGER NOT NULL,
  results TEXT NOT NULL,
  lost INTEGER NOT NULL,
  is_accepted INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX evaluation_run_of_project ON evaluation_run (project_id, id);
`
