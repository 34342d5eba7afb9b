import type { Engine } from "../words.ts"

/** What was added from a workspace shares its part of the machine; what waits for its turn does so for 30 days. */
export function sharesAndWaits(engine: Engine): string {
  const [text, integer] = engine === "sqlite" ? ["TEXT", "INTEGER"] : ['text COLLATE "C"', "bigint"]
  return `
ALTER TABLE workspace ADD COLUMN share_id ${text};
ALTER TABLE delivery ADD COLUMN cancel_reason ${text};
ALTER TABLE endpoint ADD COLUMN waiting_told ${integer} NOT NULL DEFAULT 0;
`
}
