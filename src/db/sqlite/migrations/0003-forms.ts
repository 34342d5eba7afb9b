/** Forms, form responses, consents, and mails waiting to be sent. */
export const forms = `
CREATE TABLE form (
  id TEXT PRIMARY KEY,
  public_id TEXT NOT NULL UNIQUE,
  project_id TEXT NOT NULL REFERENCES project ON DELETE CASCADE,
  name TEXT NOT NULL,
  fields TEXT NOT NULL,
  consent_text TEXT,
  consent_confirmation INTEGER NOT NULL,
  redirect_url TEXT,
  retention_days INTEGER,
  owner_mail_to TEXT,
  owner_mail_contents INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  removed_at INTEGER
) STRICT;
CREATE INDEX form_by_project ON form (project_id);

CREATE TABLE form_wording (
  form_id TEXT NOT NULL REFERENCES form ON DELETE CASCADE,
  mark TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (form_id, mark)
) STRICT, WITHOUT ROWID;

CREATE TABLE form_response (
  id TEXT PRIMARY KEY,
  form_id TEXT NOT NULL REFERENCES form ON DELETE CASCADE,
  state TEXT NOT NULL,
  stopped_by TEXT,
  field_values TEXT NOT NULL,
  email TEXT,
  consent_status TEXT,
  consent_text TEXT,
  consent_at INTEGER,
  consent_confirmed_at INTEGER,
  page TEXT NOT NULL,
  idempotency_hash TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX form_response_by_form ON form_response (form_id, state, id);
CREATE INDEX form_response_by_age ON form_response (form_id, created_at);
CREATE UNIQUE INDEX form_response_once ON form_response (form_id, idempotency_hash)
  WHERE idempotency_hash IS NOT NULL;

CREATE TABLE form_response_address (
  address TEXT NOT NULL,
  response_id TEXT NOT NULL REFERENCES form_response ON DELETE CASCADE,
  PRIMARY KEY (address, response_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX form_response_address_by_response ON form_response_address (response_id);

CREATE TABLE consent_token (
  hash TEXT PRIMARY KEY,
  response_id TEXT NOT NULL UNIQUE REFERENCES form_response ON DELETE CASCADE,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE recent_visit (
  subject TEXT PRIMARY KEY,
  until REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX recent_visit_by_age ON recent_visit (until);

CREATE TABLE mail (
  id TEXT PRIMARY KEY,
  about TEXT,
  sealed TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  failed_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX mail_due ON mail (due_at) WHERE failed_at IS NULL;
CREATE INDEX mail_about ON mail (about) WHERE about IS NOT NULL;
`
