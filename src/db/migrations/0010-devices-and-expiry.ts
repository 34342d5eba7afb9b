import type { Engine } from "../words.ts"

/** A session says which browser it is of; a token may expire. */
export function devicesAndExpiry(engine: Engine): string {
  const [integer, text] = engine === "sqlite" ? ["INTEGER", "TEXT"] : ["bigint", 'text COLLATE "C"']
  return `
ALTER TABLE session ADD COLUMN user_agent ${text};
ALTER TABLE token ADD COLUMN expires_at ${integer};
`
}
