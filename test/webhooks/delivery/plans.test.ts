import { test as anyTest, expect } from "bun:test"
import { CompiledQuery, sql } from "kysely"
import type { Db } from "../../../src/db/connection.ts"
import { claimStatements } from "../../../src/webhooks/delivery/postgres/claim.ts"
import { waitingEndpoints } from "../../../src/webhooks/delivery/turns/release.ts"
import { createDatabase, onSqlite, serverSettings } from "../../support/postgres.ts"
import { noPostgres } from "../../support/postgres-server.ts"
import { aService } from "../../support/service-builder.ts"

/* What PostgreSQL reads to claim. */

const test = anyTest.skipIf(noPostgres())

const [endpoints, each] = [20, 100]

test("a claim leaps from endpoint to endpoint, also where the statistics are of a moment when nothing was due", async () => {
  await using webhooks = await aService()
    .withReceivers()
    .withSettings(serverSettings(await createDatabase()))
    .started()
  await webhooks.stopWork()
  const { db } = webhooks.service.app
  await webhooks.otherWorkspaces(endpoints, webhooks.receiver, each)
  const nowMs = webhooks.clock.now()
  await db.updateTable("delivery").set({ due_at: null }).execute()
  await sql`VACUUM ANALYZE delivery`.execute(db)
  await db.updateTable("delivery").set({ due_at: nowMs }).execute()

  const plans: Plan[] = []
  const endpointQueues = claimStatements.endpointQueues(db, {
    dueAt: sql.ref("due_at"),
    isLate: sql.ref("due_is_late"),
  })
  await endpointQueues(explaining(db, plans), {
    late: 0,
    after: "",
    full: "",
    nowMs,
    atMost: 10,
    heldEndpoints: 0,
    perEndpoint: 5,
    heldOfOne: 0,
  })
  expect(rowsRead(plans)).toBeGreaterThan(0)
  expect(rowsRead(plans)).toBeLessThan((endpoints * each) / 4)
})

test("of endpoints that hold deliveries back, one of each is read, whatever the statistics say; claims read none", async () => {
  await using webhooks = await aService()
    .withReceivers()
    .withSettings(serverSettings(await createDatabase()))
    .started()
  await webhooks.stopWork()
  const { db } = webhooks.service.app
  await webhooks.otherWorkspaces(endpoints, webhooks.receiver, each)
  const nowMs = webhooks.clock.now()
  await sql`VACUUM ANALYZE delivery`.execute(db)
  await db.updateTable("endpoint").set({ in_order: 1 }).execute()
  await db.updateTable("delivery").set({ due_at: null, waits_since: nowMs }).execute()
  const plans: Plan[] = []
  await waitingEndpoints(explaining(db, plans), {})
  expect(rowsRead(plans)).toBeGreaterThan(endpoints)
  expect(rowsRead(plans)).toBeLessThan(endpoints * 10)
  const { rows } = await waitingEndpoints(db, {})
  expect(rows).toHaveLength(endpoints)
  const claims: Plan[] = []
  const columns = { dueAt: sql.ref("due_at"), isLate: sql.ref("due_is_late") }
  const bounds = { after: "", full: "", nowMs, atMost: 10, heldEndpoints: 0, perEndpoint: 5, heldOfOne: 0 }
  for (const late of [0, 1] as const)
    await claimStatements.endpointQueues(db, columns)(explaining(db, claims), { late, ...bounds })
  expect(rowsRead(claims)).toBe(0)
})

onSqlite("SQLite, too, leaps from one endpoint that holds deliveries back to the next", async () => {
  await using service = await aService().started()
  const { db } = service.app
  const statements: string[] = []
  await waitingEndpoints(
    Object.create(db, {
      getExecutor: { value: () => db.getExecutor() },
      executeQuery: {
        value: async (query: CompiledQuery) => {
          statements.push(query.sql)
          return { rows: [] }
        },
      },
    }),
    {},
  )
  const explain = CompiledQuery.raw(`EXPLAIN QUERY PLAN ${statements[0]}`)
  const { rows } = await db.transaction().execute((transaction) => transaction.executeQuery(explain))
  const plan = (rows as { detail: string }[]).map(({ detail }) => detail).join("\n")
  expect(plan.match(/SEARCH delivery USING (COVERING )?INDEX delivery_waiting/g)?.length).toBeGreaterThan(1)
  expect(plan).not.toMatch(/SCAN delivery\b(?! USING)/)
})

interface Plan {
  "Node Type": string
  "Actual Rows": number
  "Actual Loops": number
  "Rows Removed by Join Filter"?: number
  Plans?: Plan[]
}

/** A database that explains what it is asked, and answers with nothing. */
function explaining(db: Db, plans: Plan[]): Db {
  return Object.create(db, {
    getExecutor: { value: () => db.getExecutor() },
    executeQuery: {
      async value(query: CompiledQuery) {
        const explained = { ...query, sql: `EXPLAIN (ANALYZE, FORMAT JSON) ${query.sql}` }
        const { rows } = await db.executeQuery<{ "QUERY PLAN": { Plan: Plan }[] }>(explained)
        for (const row of rows) for (const { Plan } of row["QUERY PLAN"]) plans.push(Plan)
        return { rows: [] }
      },
    },
  })
}

function rowsRead(plans: readonly Plan[]): number {
  return plans.reduce((sum, plan) => {
    const own = /Index/.test(plan["Node Type"]) ? plan["Actual Rows"] * plan["Actual Loops"] : 0
    return sum + own + rowsRead(plan.Plans ?? [])
  }, 0)
}
