/** Daily limits per visitor and form; notices sent together; workspaces of mails; places of sign-ins. */
export const limits = `
CREATE TABLE form_visit (
  day TEXT NOT NULL,
  visitor TEXT NOT NULL,
  form_id TEXT NOT NULL,
  posts INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  until REAL NOT NULL,
  PRIMARY KEY (day, visitor, form_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE form_notice (
  form_id TEXT PRIMARY KEY REFERENCES form ON DELETE CASCADE,
  waiting INTEGER NOT NULL,
  since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

ALTER TABLE mail ADD COLUMN workspace_id TEXT NOT NULL DEFAULT '';
DROP INDEX mail_due;
CREATE INDEX mail_due ON mail (workspace_id, due_at) WHERE failed_at IS NULL;
CREATE INDEX mail_given_up ON mail (workspace_id, failed_at) WHERE failed_at IS NOT NULL;

CREATE TABLE sign_in_place (
  place TEXT PRIMARY KEY,
  operator_id TEXT NOT NULL REFERENCES operator ON DELETE CASCADE,
  seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_in_place_by_operator ON sign_in_place (operator_id, seen_at);
CREATE INDEX sign_in_try_by_age ON sign_in_try (last_at);
`
