import type { Engine } from "../words.ts"

/** Widget and forms of a site of the State may have the look of its design system. */
export function lookOfTheState(engine: Engine): string {
  const [text, integer] = engine === "sqlite" ? ["TEXT", "INTEGER"] : ['text COLLATE "C"', "bigint"]
  return `
ALTER TABLE widget_settings ADD COLUMN look ${text} NOT NULL DEFAULT 'guichet';
ALTER TABLE widget_settings ADD COLUMN state_site ${integer} NOT NULL DEFAULT 0;
`
}
