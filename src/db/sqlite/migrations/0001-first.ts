/**
 * Organisations, workspaces, operators, projects and their limits; feeds, documents, generations and answers.
 */
export const first = `
CREATE TABLE probe (writes INTEGER NOT NULL) STRICT;
INSERT INTO probe VALUES (0);

CREATE TABLE key_proof (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  sealed TEXT NOT NULL
) STRICT;

CREATE TABLE organisation (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE workspace (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisation ON DELETE CASCADE,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE project (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  name TEXT NOT NULL,
  site TEXT NOT NULL,
  language TEXT NOT NULL,
  assistant_enabled INTEGER NOT NULL,
  per_minute INTEGER,
  per_visitor_day INTEGER,
  per_day INTEGER,
  every_ms INTEGER,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE project_origin (
  project_id TEXT NOT NULL REFERENCES project ON DELETE CASCADE,
  origin TEXT NOT NULL,
  PRIMARY KEY (project_id, origin)
) STRICT, WITHOUT ROWID;

CREATE TABLE token (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;

CREATE TABLE operator (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  password_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE member (
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  operator_id TEXT NOT NULL REFERENCES operator ON DELETE CASCADE,
  role TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, operator_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX member_by_operator ON member (operator_id);

CREATE TABLE session (
  hash TEXT PRIMARY KEY,
  operator_id TEXT NOT NULL REFERENCES operator ON DELETE CASCADE,
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX session_by_operator ON session (operator_id);

CREATE TABLE setup_link (
  hash TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE sign_in_try (
  subject TEXT PRIMARY KEY,
  tries INTEGER NOT NULL,
  last_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE journal_entry (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  actor_kind TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  actor_name TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT,
  subject_name TEXT,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX journal_entry_by_workspace ON journal_entry (workspace_id, id);
CREATE INDEX journal_entry_by_age ON journal_entry (at);

CREATE TABLE limit_count (
  subject TEXT NOT NULL,
  period TEXT NOT NULL,
  used INTEGER NOT NULL,
  PRIMARY KEY (subject, period)
) STRICT, WITHOUT ROWID;

CREATE TABLE recent_ask (
  id TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  visitor TEXT NOT NULL,
  day TEXT NOT NULL,
  at INTEGER NOT NULL,
  counted INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX recent_ask_by_project ON recent_ask (project_id, at);
CREATE INDEX recent_ask_reserved ON recent_ask (organisation_id, at) WHERE counted = 0;

CREATE TABLE job (
  name TEXT PRIMARY KEY,
  last_run_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE feed (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES project ON DELETE CASCADE,
  kind TEXT NOT NULL,
  address TEXT NOT NULL,
  base_url TEXT,
  url_style TEXT,
  created_at INTEGER NOT NULL,
  last_read_at INTEGER,
  UNIQUE (project_id, kind, address)
) STRICT;

CREATE TABLE document (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES project ON DELETE CASCADE,
  feed_id TEXT NOT NULL REFERENCES feed ON DELETE CASCADE,
  page TEXT NOT NULL,
  path TEXT NOT NULL,
  url TEXT NOT NULL,
  title TEXT NOT NULL,
  sections TEXT NOT NULL,
  hash TEXT NOT NULL,
  read_at INTEGER NOT NULL,
  since INTEGER NOT NULL,
  until INTEGER,
  UNIQUE (feed_id, page, since)
) STRICT;
CREATE INDEX document_by_project ON document (project_id, id);
CREATE INDEX document_by_until ON document (project_id, until) WHERE until IS NOT NULL;
CREATE INDEX document_by_since ON document (project_id, since);

CREATE TABLE left_out_page (
  feed_id TEXT NOT NULL REFERENCES feed ON DELETE CASCADE,
  page TEXT NOT NULL,
  reason TEXT NOT NULL,
  detail TEXT,
  PRIMARY KEY (feed_id, page)
) STRICT, WITHOUT ROWID;

CREATE TABLE indexing_run (
  project_id TEXT PRIMARY KEY REFERENCES project ON DELETE CASCADE,
  started_at INTEGER NOT NULL,
  beat_at INTEGER NOT NULL,
  ended_at INTEGER,
  phase TEXT NOT NULL,
  done INTEGER NOT NULL,
  total INTEGER,
  outcome TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE generation (
  project_id TEXT NOT NULL REFERENCES project ON DELETE CASCADE,
  number INTEGER NOT NULL,
  recipe TEXT NOT NULL,
  documents INTEGER NOT NULL,
  passages INTEGER NOT NULL,
  seal TEXT NOT NULL,
  built_at INTEGER NOT NULL,
  live INTEGER NOT NULL,
  replaced_at INTEGER,
  PRIMARY KEY (project_id, number)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX generation_live ON generation (project_id) WHERE live = 1;

CREATE TABLE passage_vector (
  project_id TEXT NOT NULL REFERENCES project ON DELETE CASCADE,
  model TEXT NOT NULL,
  hash TEXT NOT NULL,
  generation INTEGER NOT NULL,
  vector BLOB NOT NULL,
  PRIMARY KEY (project_id, model, hash)
) STRICT;

CREATE TABLE answer (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES project ON DELETE CASCADE,
  question TEXT NOT NULL,
  page TEXT,
  status TEXT NOT NULL,
  answer TEXT NOT NULL,
  sources TEXT NOT NULL,
  generation INTEGER NOT NULL,
  cache_key TEXT,
  created_at INTEGER NOT NULL,
  useful INTEGER
) STRICT;
CREATE INDEX answer_by_cache_key ON answer (project_id, cache_key) WHERE cache_key IS NOT NULL;
CREATE INDEX answer_by_project ON answer (project_id, id);
CREATE INDEX answer_by_age ON answer (created_at);
`
