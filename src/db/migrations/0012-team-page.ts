import type { Engine } from "../words.ts"

/** Search engines may list the page of the answers that a project's team wrote. */
export function teamPage(engine: Engine): string {
  return `ALTER TABLE project ADD COLUMN team_page_listed ${engine === "sqlite" ? "INTEGER" : "bigint"} NOT NULL DEFAULT 0;`
}
