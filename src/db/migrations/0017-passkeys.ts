import type { Engine } from "../words.ts"

/** Operators sign in by passkeys. */
export function passkeys(engine: Engine): string {
  const [integer, text] = engine === "sqlite" ? ["INTEGER", "TEXT"] : ["bigint", 'text COLLATE "C"']
  const [keyed, rows] = engine === "sqlite" ? [" STRICT, WITHOUT ROWID", " STRICT"] : ["", ""]
  return `
CREATE TABLE passkey (id ${text} NOT NULL, operator_id ${text} NOT NULL REFERENCES operator ON DELETE CASCADE,
  name ${text} NOT NULL, public_key ${text} NOT NULL, counter ${integer} NOT NULL, created_at ${integer} NOT NULL,
  last_used_at ${integer}, PRIMARY KEY (id))${rows};
CREATE INDEX passkey_by_operator ON passkey (operator_id);
CREATE TABLE used_challenge (hash ${text} NOT NULL, expires_at ${integer} NOT NULL, PRIMARY KEY (hash))${keyed};
CREATE INDEX used_challenge_by_expiry ON used_challenge (expires_at);
`
}
