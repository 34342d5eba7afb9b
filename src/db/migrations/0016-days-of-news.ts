import type { Engine } from "../words.ts"

/** Documents keep the day on which they were published as news, and their kind where it stands behind others. */
export function daysOfNews(engine: Engine): string {
  const text = engine === "sqlite" ? "TEXT" : 'text COLLATE "C"'
  return `
ALTER TABLE document ADD COLUMN published ${text};
ALTER TABLE document ADD COLUMN kind ${text};
`
}
