import type { Engine } from "../words.ts"

/** A workspace may share its part of the machine with others; a delivery waits for its turn for 30 days at most. */
export function sharesAndWaits(engine: Engine): string {
  const [text, integer] = engine === "sqlite" ? ["TEXT", "INTEGER"] : ['text COLLATE "C"', "bigint"]
  return `
ALTER TABLE workspace ADD COLUMN share_id ${text};
ALTER TABLE delivery ADD COLUMN cancel_reason ${text};
ALTER TABLE endpoint ADD COLUMN waiting_told ${integer} NOT NULL DEFAULT 0;
`
}
