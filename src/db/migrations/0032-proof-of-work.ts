import type { Engine } from "../words.ts"

/** A form may want a proof of work from the browser that sends it. */
export function proofOfWork(engine: Engine): string {
  const integer = engine === "sqlite" ? "INTEGER" : "bigint"
  return `
ALTER TABLE form ADD COLUMN proof_of_work ${integer} NOT NULL DEFAULT 0;
`
}
