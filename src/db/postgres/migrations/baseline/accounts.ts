import { text } from "./text.ts"

/** Organisations, workspaces, operators, projects and their limits; what every part of the program shares. */
export const accounts = `
CREATE TABLE probe (
  writes bigint NOT NULL
);
INSERT INTO probe VALUES (0);

CREATE TABLE key_proof (
  id bigint PRIMARY KEY CHECK (id = 1),
  sealed ${text} NOT NULL
);

CREATE TABLE organisation (
  id ${text} PRIMARY KEY,
  name ${text} NOT NULL,
  created_at bigint NOT NULL
);

CREATE TABLE workspace (
  id ${text} PRIMARY KEY,
  organisation_id ${text} NOT NULL REFERENCES organisation ON DELETE CASCADE,
  name ${text} NOT NULL,
  created_at bigint NOT NULL,
  number bigint NOT NULL DEFAULT 0
);

CREATE TABLE project (
  id ${text} PRIMARY KEY,
  workspace_id ${text} NOT NULL REFERENCES workspace ON DELETE CASCADE,
  name ${text} NOT NULL,
  site ${text} NOT NULL,
  language ${text} NOT NULL,
  assistant_enabled bigint NOT NULL,
  per_minute bigint,
  per_visitor_day bigint,
  per_day bigint,
  every_ms bigint,
  created_at bigint NOT NULL,
  answers ${text} NOT NULL DEFAULT 'written'
);

CREATE TABLE project_origin (
  project_id ${text} NOT NULL REFERENCES project ON DELETE CASCADE,
  origin ${text} NOT NULL,
  PRIMARY KEY (project_id, origin)
);

CREATE TABLE token (
  id ${text} PRIMARY KEY,
  workspace_id ${text} NOT NULL REFERENCES workspace ON DELETE CASCADE,
  name ${text} NOT NULL,
  hash ${text} NOT NULL UNIQUE,
  scopes ${text} NOT NULL,
  created_at bigint NOT NULL,
  last_used_at bigint
);

CREATE TABLE operator (
  id ${text} PRIMARY KEY,
  email ${text} NOT NULL UNIQUE,
  password_hash ${text} NOT NULL,
  created_at bigint NOT NULL
);

CREATE TABLE member (
  workspace_id ${text} NOT NULL REFERENCES workspace ON DELETE CASCADE,
  operator_id ${text} NOT NULL REFERENCES operator ON DELETE CASCADE,
  role ${text} NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, operator_id)
);
CREATE INDEX member_by_operator ON member (operator_id);

CREATE TABLE session (
  hash ${text} PRIMARY KEY,
  operator_id ${text} NOT NULL REFERENCES operator ON DELETE CASCADE,
  workspace_id ${text} NOT NULL REFERENCES workspace ON DELETE CASCADE,
  created_at bigint NOT NULL,
  seen_at bigint NOT NULL
);
CREATE INDEX session_by_operator ON session (operator_id);

CREATE TABLE shut_session (
  session_hash ${text} NOT NULL REFERENCES session ON DELETE CASCADE,
  workspace_id ${text} NOT NULL REFERENCES workspace ON DELETE CASCADE,
  PRIMARY KEY (session_hash, workspace_id)
);
CREATE INDEX shut_session_by_workspace ON shut_session (workspace_id);

CREATE TABLE invitation (
  id ${text} PRIMARY KEY,
  workspace_id ${text} NOT NULL REFERENCES workspace ON DELETE CASCADE,
  email ${text} NOT NULL,
  role ${text} NOT NULL,
  hash ${text} NOT NULL UNIQUE,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  UNIQUE (workspace_id, email)
);

CREATE TABLE setup_link (
  hash ${text} PRIMARY KEY,
  expires_at bigint NOT NULL
);

CREATE TABLE sign_in_try (
  subject ${text} PRIMARY KEY,
  tries bigint NOT NULL,
  last_at bigint NOT NULL
);
CREATE INDEX sign_in_try_by_age ON sign_in_try (last_at);

CREATE TABLE sign_in_place (
  place ${text} PRIMARY KEY,
  operator_id ${text} NOT NULL REFERENCES operator ON DELETE CASCADE,
  seen_at bigint NOT NULL
);
CREATE INDEX sign_in_place_by_operator ON sign_in_place (operator_id, seen_at);

CREATE TABLE journal_entry (
  id ${text} PRIMARY KEY,
  workspace_id ${text} NOT NULL REFERENCES workspace ON DELETE CASCADE,
  actor_kind ${text} NOT NULL,
  actor_id ${text} NOT NULL,
  actor_name ${text} NOT NULL,
  action ${text} NOT NULL,
  subject ${text},
  subject_name ${text},
  at bigint NOT NULL
);
CREATE INDEX journal_entry_by_workspace ON journal_entry (workspace_id, id);
CREATE INDEX journal_entry_by_age ON journal_entry (at);

CREATE TABLE limit_count (
  subject ${text} NOT NULL,
  period ${text} NOT NULL,
  used bigint NOT NULL,
  PRIMARY KEY (subject, period)
);

CREATE TABLE recent_ask (
  id ${text} PRIMARY KEY,
  organisation_id ${text} NOT NULL,
  project_id ${text} NOT NULL,
  visitor ${text} NOT NULL,
  day ${text} NOT NULL,
  at bigint NOT NULL,
  counted bigint NOT NULL
);
CREATE INDEX recent_ask_by_project ON recent_ask (project_id, at);
CREATE INDEX recent_ask_reserved ON recent_ask (organisation_id, at) WHERE counted = 0;

CREATE TABLE job (
  name ${text} PRIMARY KEY,
  last_run_at bigint NOT NULL
);

CREATE TABLE mail (
  id ${text} PRIMARY KEY,
  about ${text},
  sealed ${text} NOT NULL,
  attempts bigint NOT NULL,
  due_at bigint NOT NULL,
  failed_at bigint,
  created_at bigint NOT NULL,
  workspace_id ${text} NOT NULL DEFAULT ''
);
CREATE INDEX mail_about ON mail (about) WHERE about IS NOT NULL;
CREATE INDEX mail_due ON mail (workspace_id, due_at) WHERE failed_at IS NULL;
CREATE INDEX mail_given_up ON mail (workspace_id, failed_at) WHERE failed_at IS NOT NULL;

CREATE TABLE script (
  name ${text} NOT NULL,
  hash ${text} NOT NULL,
  text ${text} NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (name, hash)
);
`
