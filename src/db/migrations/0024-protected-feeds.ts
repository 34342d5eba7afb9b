import type { Engine } from "../words.ts"

/** A feed's host is sent headers of its owner's. */
export function protectedFeeds(engine: Engine): string {
  const text = engine === "sqlite" ? "TEXT" : 'text COLLATE "C"'
  return `
ALTER TABLE feed ADD COLUMN headers ${text};
`
}
