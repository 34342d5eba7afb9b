import type { Engine } from "../words.ts"

/** A documentation may have several versions or languages, and an answer is of one of them. */
export function editions(engine: Engine): string {
  const [text, integer] = engine === "sqlite" ? ["TEXT", "INTEGER"] : ['text COLLATE "C"', "bigint"]
  return `
ALTER TABLE project ADD COLUMN editions ${text} NOT NULL DEFAULT '[]';
ALTER TABLE project ADD COLUMN edition_fallback ${integer} NOT NULL DEFAULT 0;
ALTER TABLE answer ADD COLUMN edition ${text};
`
}
