/**
 * Endpoints, messages, deliveries and attempts. Due attempts have a small table of their own, `due_attempt`,
 * so that a claim reads only those, however many deliveries are stored. Its index is a queue per endpoint,
 * with first attempts (late = 0) in front.
 */
export const webhooks = `
CREATE TABLE endpoint (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  url TEXT NOT NULL,
  description TEXT NOT NULL,
  active INTEGER NOT NULL,
  limited INTEGER NOT NULL,
  secrets TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX endpoint_by_workspace ON endpoint (workspace_id, id);

CREATE TABLE endpoint_project (
  endpoint_id TEXT NOT NULL REFERENCES endpoint ON DELETE CASCADE,
  project_id TEXT NOT NULL REFERENCES project ON DELETE CASCADE,
  PRIMARY KEY (endpoint_id, project_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE endpoint_form (
  endpoint_id TEXT NOT NULL REFERENCES endpoint ON DELETE CASCADE,
  form_id TEXT NOT NULL REFERENCES form ON DELETE CASCADE,
  PRIMARY KEY (endpoint_id, form_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE message (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  response_id TEXT,
  type TEXT NOT NULL,
  payload BLOB,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX message_by_response ON message (response_id) WHERE response_id IS NOT NULL;

CREATE TABLE delivery (
  id TEXT PRIMARY KEY,
  message_id TEXT NOT NULL REFERENCES message ON DELETE CASCADE,
  endpoint_id TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts_made INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX delivery_by_message ON delivery (message_id, endpoint_id);
CREATE INDEX delivery_by_endpoint ON delivery (endpoint_id, id);
CREATE INDEX delivery_undelivered ON delivery (endpoint_id, state, id) WHERE state IN ('failed', 'cancelled');

CREATE TABLE attempt (
  delivery_id TEXT NOT NULL REFERENCES delivery ON DELETE CASCADE,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  status INTEGER,
  duration_ms INTEGER,
  response_excerpt TEXT,
  PRIMARY KEY (delivery_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE due_attempt (
  delivery_id TEXT NOT NULL REFERENCES delivery ON DELETE CASCADE,
  kind TEXT NOT NULL,
  endpoint_id TEXT NOT NULL,
  late INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  message_id TEXT NOT NULL,
  attempt_id TEXT,
  leased_until INTEGER,
  PRIMARY KEY (delivery_id, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX due_attempt_by_lane ON due_attempt (late, endpoint_id, due_at);

CREATE TABLE endpoint_failure (
  endpoint_id TEXT PRIMARY KEY,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  status INTEGER,
  told_at INTEGER
) STRICT, WITHOUT ROWID;
`
