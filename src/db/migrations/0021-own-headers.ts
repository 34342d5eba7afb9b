import type { Engine } from "../words.ts"

/** An endpoint's messages carry headers of its owner's. */
export function ownHeaders(engine: Engine): string {
  const text = engine === "sqlite" ? "TEXT" : 'text COLLATE "C"'
  return `
ALTER TABLE endpoint ADD COLUMN headers ${text};
`
}
