import type { Engine } from "../words.ts"

/** A form may open and close, and take a largest number of responses. */
export function whenFormsAreOpen(engine: Engine): string {
  const integer = engine === "sqlite" ? "INTEGER" : "bigint"
  return ["opens_at", "closes_at", "max_responses"]
    .map((column) => `ALTER TABLE form ADD COLUMN ${column} ${integer};`)
    .join("\n")
}
