import type { Engine } from "../words.ts"

/** The panel of a project may begin with a search of its pages. */
export function searchInThePanel(engine: Engine): string {
  const integer = engine === "sqlite" ? "INTEGER" : "bigint"
  return `
ALTER TABLE widget_settings ADD COLUMN search ${integer} NOT NULL DEFAULT 0;
`
}
