import type { Engine } from "../words.ts"

/** Operators may sign in by an OpenID provider. */
export function identities(engine: Engine): string {
  const [integer, text] = engine === "sqlite" ? ["INTEGER", "TEXT"] : ["bigint", 'text COLLATE "C"']
  const keyed = engine === "sqlite" ? " STRICT, WITHOUT ROWID" : ""
  return `
ALTER TABLE operator ADD COLUMN password_until ${integer};
CREATE TABLE operator_identity (issuer ${text} NOT NULL, subject ${text} NOT NULL,
  operator_id ${text} NOT NULL REFERENCES operator ON DELETE CASCADE, created_at ${integer} NOT NULL,
  PRIMARY KEY (issuer, subject), UNIQUE (operator_id, issuer))${keyed};
CREATE TABLE provider_session (session_hash ${text} NOT NULL REFERENCES session ON DELETE CASCADE,
  id_token ${text} NOT NULL, PRIMARY KEY (session_hash))${keyed};
`
}
