import { text } from "./baseline/text.ts"

/** As in the step of SQLite. */
export const questions = `
ALTER TABLE answer ADD COLUMN conversation ${text};
ALTER TABLE answer ADD COLUMN folded ${text};
ALTER TABLE answer ADD COLUMN gap ${text};
ALTER TABLE answer ADD COLUMN chosen_id ${text};
DROP INDEX answer_by_project;
CREATE INDEX answer_overview ON answer (project_id, id, created_at, status, useful, courtesy, page);
CREATE INDEX answer_search ON answer (project_id, id, folded);
CREATE INDEX answer_by_conversation ON answer (project_id, conversation, id) WHERE conversation IS NOT NULL;
CREATE INDEX answer_by_chosen ON answer (project_id, chosen_id, id) WHERE chosen_id IS NOT NULL;
CREATE INDEX answer_unfolded ON answer (id) WHERE folded IS NULL;

CREATE TABLE chosen_answer (
  id ${text} PRIMARY KEY,
  project_id ${text} NOT NULL REFERENCES project ON DELETE CASCADE,
  answer ${text} NOT NULL,
  sources ${text} NOT NULL,
  created_at bigint NOT NULL,
  changed_at bigint NOT NULL,
  checked_generation bigint,
  missing bigint NOT NULL DEFAULT 0,
  set_aside_at bigint
);
CREATE INDEX chosen_answer_of_project ON chosen_answer (project_id, id, changed_at);

CREATE TABLE chosen_question (
  chosen_id ${text} NOT NULL REFERENCES chosen_answer ON DELETE CASCADE,
  place bigint NOT NULL,
  question ${text} NOT NULL,
  model ${text},
  vector bytea,
  PRIMARY KEY (chosen_id, place)
);

CREATE TABLE gap_mail (
  project_id ${text} NOT NULL REFERENCES project ON DELETE CASCADE,
  operator_id ${text} NOT NULL REFERENCES operator ON DELETE CASCADE,
  since bigint NOT NULL,
  PRIMARY KEY (project_id, operator_id)
);

CREATE TABLE evaluation_question (
  id ${text} PRIMARY KEY,
  project_id ${text} NOT NULL REFERENCES project ON DELETE CASCADE,
  question ${text} NOT NULL,
  page ${text},
  text ${text},
  created_at bigint NOT NULL
);
CREATE INDEX evaluation_question_of_project ON evaluation_question (project_id, id);

CREATE TABLE evaluation_run (
  id ${text} PRIMARY KEY,
  project_id ${text} NOT NULL REFERENCES project ON DELETE CASCADE,
  generation bigint NOT NULL,
  started_at bigint NOT NULL,
  ended_at bigint,
  total bigint NOT NULL,
  passed bigint NOT NULL,
  results ${text} NOT NULL,
  lost bigint NOT NULL,
  is_accepted bigint NOT NULL
);
CREATE INDEX evaluation_run_of_project ON evaluation_run (project_id, id);
`
