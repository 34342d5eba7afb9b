import type { Engine } from "../words.ts"

/** Operators may have a second factor, and a workspace may ask for one. */
export function secondFactors(engine: Engine): string {
  const [integer, text] = engine === "sqlite" ? ["INTEGER", "TEXT"] : ["bigint", 'text COLLATE "C"']
  const keyed = engine === "sqlite" ? " STRICT, WITHOUT ROWID" : ""
  return `
ALTER TABLE workspace ADD COLUMN requires_second_factor ${integer} NOT NULL DEFAULT 0;
CREATE TABLE totp (operator_id ${text} NOT NULL REFERENCES operator ON DELETE CASCADE, sealed ${text} NOT NULL,
  last_step ${integer} NOT NULL, created_at ${integer} NOT NULL, PRIMARY KEY (operator_id))${keyed};
CREATE TABLE recovery_code (operator_id ${text} NOT NULL REFERENCES operator ON DELETE CASCADE,
  hash ${text} NOT NULL, PRIMARY KEY (operator_id, hash))${keyed};
`
}
