import type { Engine } from "../words.ts"

/** A feed may be pages that are named one by one. */
export function namedPages(engine: Engine): string {
  return `ALTER TABLE feed ADD COLUMN pages ${engine === "sqlite" ? "TEXT" : 'text COLLATE "C"'};`
}
