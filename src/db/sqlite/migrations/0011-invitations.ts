/**
 * Invitations to a workspace, and sessions that were signed out of a workspace and may not switch back to it.
 */
export const invitations = `
CREATE TABLE invitation (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  email TEXT NOT NULL,
  role TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  UNIQUE (workspace_id, email)
) STRICT;

CREATE TABLE shut_session (
  session_hash TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  PRIMARY KEY (session_hash, workspace_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX shut_session_by_workspace ON shut_session (workspace_id);
`
