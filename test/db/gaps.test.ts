import { expect } from "bun:test"
import { CompiledQuery, type KyselyPlugin } from "kysely"
import type { Db } from "../../src/db/connection.ts"
import { countGaps, newestGaps } from "../../src/owners/gaps/newest-gaps.ts"
import { onSqlite } from "../support/postgres.ts"
import { aService } from "../support/service-builder.ts"

/** The plan of SQLite for each query of `work`. */
async function plansOf(db: Db, work: (db: Db) => Promise<unknown>): Promise<string[]> {
  const queries: CompiledQuery[] = []
  const remembers: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      queries.push(db.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await work(db.withPlugin(remembers))
  const plans = queries.map(({ sql, parameters }) =>
    db
      .transaction()
      .execute((transaction) =>
        transaction.executeQuery(CompiledQuery.raw(`EXPLAIN QUERY PLAN ${sql}`, [...parameters])),
      ),
  )
  return (await Promise.all(plans)).map(({ rows }) => JSON.stringify(rows))
}

onSqlite("the gaps of the home are read from indexes of their mark, whatever else is stored", async () => {
  await using service = await aService().started()
  const { db } = service.app
  const projects = [{ id: "prj_1", language: "fr" as const }]
  const [open, offTopic] = await plansOf(db, (watched) => newestGaps(watched, projects, 0, 5))
  expect(open).toContain("INDEX answer_open_gap (id>?)")
  expect(offTopic).toContain("INDEX answer_off_topic (id>?)")
  const [counted] = await plansOf(db, (watched) => countGaps(watched, ["prj_1"], 0))
  expect(counted).toContain("INDEX answer_open_gap_of_project (project_id=? AND id>?)")
})
