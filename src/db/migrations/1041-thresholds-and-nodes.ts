import type { Engine } from "../words.ts"

/** How sure a project wants its answers, how sure each was, and the questions for which something was offered. */
export function thresholds(engine: Engine): string {
  const [text, real] = engine === "sqlite" ? ["TEXT", "REAL"] : ['text COLLATE "C"', "double precision"]
  return `
ALTER TABLE project ADD COLUMN answer_threshold ${text} NOT NULL DEFAULT 'prudent';
ALTER TABLE answer ADD COLUMN confidence ${real};
CREATE INDEX answer_offered ON answer (project_id, id) WHERE status = 'no_answer' AND related IS NOT NULL;
`
}

/** How each node's processor calculates: nodes of unlike ones make vectors that are a little apart. */
export function arithmetics(engine: Engine): string {
  const text = engine === "sqlite" ? "TEXT" : 'text COLLATE "C"'
  return `ALTER TABLE node ADD COLUMN arithmetic ${text} NOT NULL DEFAULT '';`
}
