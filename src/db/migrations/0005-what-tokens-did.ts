import type { Engine } from "../words.ts"

/** Revoked tokens are remembered, and so are the requests that a token may repeat. */
export function whatTokensDid(engine: Engine): string {
  const [integer, text] = engine === "sqlite" ? ["INTEGER", "TEXT"] : ["bigint", 'text COLLATE "C"']
  const [keyed, rows] = engine === "sqlite" ? [" STRICT, WITHOUT ROWID", " STRICT"] : ["", ""]
  return `
CREATE TABLE revoked_token (hash ${text} NOT NULL,
  workspace_id ${text} NOT NULL REFERENCES workspace ON DELETE CASCADE, revoked_at ${integer} NOT NULL,
  PRIMARY KEY (hash))${keyed};
CREATE INDEX revoked_token_by_workspace ON revoked_token (workspace_id, revoked_at);
CREATE INDEX revoked_token_by_age ON revoked_token (revoked_at);
CREATE TABLE idempotency_key (token_id ${text} NOT NULL REFERENCES token ON DELETE CASCADE, key ${text} NOT NULL,
  request ${text} NOT NULL, created_at ${integer} NOT NULL, bytes ${integer} NOT NULL, status ${integer},
  reply ${text}, PRIMARY KEY (token_id, key))${rows};
CREATE INDEX idempotency_key_by_token ON idempotency_key (token_id, created_at, bytes);
CREATE INDEX idempotency_key_by_age ON idempotency_key (created_at);
`
}
