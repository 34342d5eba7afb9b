import type { Engine } from "../words.ts"

/** An endpoint gets the messages of a form only where a field has one of some values. */
export function conditionsOfEndpoints(engine: Engine): string {
  const text = engine === "sqlite" ? "TEXT" : 'text COLLATE "C"'
  return `
ALTER TABLE endpoint ADD COLUMN conditions ${text};
`
}
