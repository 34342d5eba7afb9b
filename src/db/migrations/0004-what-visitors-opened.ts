import type { Engine } from "../words.ts"

/** Answers keep which passages beside them were opened, and why they were given. */
export function whatVisitorsOpened(engine: Engine): string {
  const [integer, text] = engine === "sqlite" ? ["INTEGER", "TEXT"] : ["bigint", 'text COLLATE "C"']
  return `
ALTER TABLE answer ADD COLUMN opened ${integer};
ALTER TABLE answer ADD COLUMN reasons ${text};
DROP INDEX answer_overview;
CREATE INDEX answer_overview ON answer (project_id, id, created_at, status, useful, courtesy, page, opened);
CREATE INDEX answer_by_opened ON answer (project_id, folded, id) WHERE opened IS NOT NULL;
`
}
