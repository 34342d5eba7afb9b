import type { Engine } from "../words.ts"

/** A feed may read the documents that its pages link to, and a document tells its format. */
export function linkedDocuments(engine: Engine): string {
  const [text, integer] = engine === "sqlite" ? ["TEXT", "INTEGER"] : ['text COLLATE "C"', "bigint"]
  return `
ALTER TABLE feed ADD COLUMN documents ${integer} NOT NULL DEFAULT 0;
ALTER TABLE document ADD COLUMN format ${text};
`
}
