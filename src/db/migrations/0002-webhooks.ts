/** Endpoints, messages, deliveries and attempts. */
export const webhooks = `
CREATE TABLE endpoint (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  url TEXT NOT NULL,
  description TEXT NOT NULL,
  active INTEGER NOT NULL,
  limited INTEGER NOT NULL,
  secret TEXT NOT NULL,
  previous_secret TEXT,
  previous_secret_until INTEGER,
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
`
