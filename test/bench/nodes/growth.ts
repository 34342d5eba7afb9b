import type { CompiledQuery } from "kysely"
import { openApp } from "../../../src/app.ts"
import { firstIdAt } from "../../../src/base/ids.ts"
import { readConfig } from "../../../src/config/config.ts"
import type { Db } from "../../../src/db/connection.ts"
import { openFindDue } from "../../../src/webhooks/delivery/claim.ts"
import { openQueue } from "../../../src/webhooks/delivery/database-queue.ts"
import { claimStatements } from "../../../src/webhooks/delivery/postgres/claim.ts"
import type { Claim, Round } from "../../../src/webhooks/delivery/queue.ts"
import { listDeliveries } from "../../../src/webhooks/messages/delivery-log.ts"
import { serverSettings } from "../../support/postgres.ts"
import { temporaryFolder } from "../../support/service.ts"
import { fill, openDestinations } from "../deliveries/drain.ts"
import { quantile, say } from "../figures.ts"
import type { BenchServer } from "./server.ts"

const endpoints = 50
/** Deliveries of one statement that fills. */
const perStatement = 500_000
const capacity = { total: 500, shared: 500, perKey: 10, lowPriority: 250, of: () => 10 }
const tries = 30

/**
 * What a round of the queue and the pages of the log take with so many deliveries stored, nearly all of them delivered
 * long ago; the plans of the largest; and what a day costs that is deleted, or dropped as a partition.
 */
export async function growthTable(server: BenchServer, most: number): Promise<void> {
  using folder = temporaryFolder()
  const url = await server.database()
  await using app = await openApp(
    readConfig({
      GUICHET_DATA_DIR: folder.path,
      GUICHET_LOG_LEVEL: "error",
      GUICHET_EMBEDDING: "none",
      ...serverSettings(url),
    }),
  )
  const { db, clock } = app
  const destinations = await openDestinations(app, "hooks.acme.fr", endpoints)
  const queue = openQueue(app)
  const endpointId = destinations[7]?.endpointId as string
  say(
    "| deliveries stored | on the disk | claim of 500 | results of 500 | newest page of the log | a page in the middle | failed ones | purge of 100 messages |",
  )
  say("|---|---|---|---|---|---|---|---|")
  let stored = 0
  for (const wanted of [1000, 100_000, most].filter((count) => count <= most)) {
    const startedMs = performance.now()
    await storeDelivered(server, url, destinations, stored, wanted)
    stored = wanted
    process.stderr.write(`${stored} stored after ${Math.round((performance.now() - startedMs) / 1000)} s\n`)
    const took: Record<"claim" | "results" | "newest" | "middle" | "failed" | "purge", number[]> = {
      claim: [],
      results: [],
      newest: [],
      middle: [],
      failed: [],
      purge: [],
    }
    const filter = { state: undefined, sinceMs: undefined }
    const part = { after: undefined, atMost: 50 }
    for (let round = 0; round < tries; round++) {
      await fill(app, destinations, capacity.total)
      const claims: Claim[] = []
      const roundWith = (changes: Partial<Round>): Round => ({
        nowMs: clock.now(),
        results: [],
        held: () => claims,
        capacity: () => undefined,
        invalidated: false,
        ...changes,
      })
      took.claim.push(
        await timed(async () =>
          claims.push(...(await queue.round(roundWith({ capacity: () => capacity }))).claims),
        ),
      )
      const results = claims.splice(0).map((claim) => ({
        claim,
        startedAtMs: clock.now(),
        endedAtMs: clock.now(),
        durationMs: 3,
        outcome: "delivered" as const,
        status: 204,
        cause: null,
        address: null,
        responseExcerpt: null,
        responseHeaders: null,
      }))
      if (results.length !== capacity.total) throw new Error(`${results.length} claims of ${capacity.total}`)
      took.results.push(await timed(() => queue.round(roundWith({ results }))))
      took.newest.push(await timed(() => listDeliveries(db, endpointId, filter, part)))
      const after = `dlv_${String(Math.round(stored / 2)).padStart(32, "0")}`
      took.middle.push(await timed(() => listDeliveries(db, endpointId, filter, { ...part, after })))
      took.failed.push(
        await timed(() => listDeliveries(db, endpointId, { ...filter, state: "failed" }, part)),
      )
      if (round < 5) took.purge.push(await timed(() => purge(db, clock.now())))
    }
    const size = await server.run<{ mb: number }>(
      url,
      "SELECT pg_database_size(current_database()) / 1000000 AS mb",
    )
    const of = (name: keyof typeof took) => `${quantile(took[name], 0.5).toFixed(1)} ms`
    say(
      `| ${stored} | ${size[0]?.mb} MB | ${of("claim")} | ${of("results")} | ${of("newest")} | ${of("middle")} | ${of("failed")} | ${of("purge")} |`,
    )
  }
  await fill(app, destinations, capacity.total)
  await explain(db, clock.now(), endpointId)
  await partitions(server, url, Math.round(most / 30))
}

/** Delivered long ago, by PostgreSQL itself and without the checks of foreign keys. */
async function storeDelivered(
  server: BenchServer,
  url: string,
  destinations: Awaited<ReturnType<typeof openDestinations>>,
  from: number,
  to: number,
): Promise<void> {
  const array = (ids: string[]) => `(ARRAY['${ids.join("','")}'])[1 + i % ${endpoints}]`
  const workspace = array(destinations.map(({ workspaceId }) => workspaceId))
  const endpoint = array(destinations.map(({ endpointId }) => endpointId))
  const id = (prefix: string) => `'${prefix}' || lpad(i::text, 32, '0')`
  for (let first = from + 1; first <= to; first += perStatement) {
    const rows = `generate_series(${first}, ${Math.min(first + perStatement - 1, to)}) i`
    await server.run(
      url,
      `SET session_replication_role = replica;
      INSERT INTO message SELECT ${id("msg_")}, ${workspace}, NULL, 'form.response.created',
        convert_to(repeat('x', 200), 'UTF8'), i FROM ${rows};
      INSERT INTO delivery OVERRIDING SYSTEM VALUE SELECT i + 1000000000, ${id("dlv_")}, ${id("msg_")}, ${endpoint},
        CASE WHEN i % 1000 = 0 THEN 'failed' ELSE 'delivered' END, 1, i, i, NULL, 1, NULL, 0 FROM ${rows};
      INSERT INTO attempt SELECT i + 1000000000, 1, 'automatic', i, 'delivered', 204, 3, NULL FROM ${rows}`,
    )
  }
  for (const table of ["message", "delivery", "attempt"]) await server.run(url, `VACUUM (ANALYZE) ${table}`)
}

/** One batch of the purge: 100 messages with their deliveries and attempts. */
async function purge(db: Db, nowMs: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const rows = await transaction
      .selectFrom("message")
      .select("id")
      .where("id", "<", firstIdAt("msg", nowMs))
      .orderBy("id")
      .limit(100)
      .execute()
    await transaction
      .deleteFrom("message")
      .where(
        "id",
        "in",
        rows.map(({ id }) => id),
      )
      .execute()
  })
}

/** The plans of a claim and of a page of the log. */
async function explain(db: Db, nowMs: number, endpointId: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const asked: CompiledQuery[] = []
    const recording = {
      getExecutor: () => transaction.getExecutor(),
      executeQuery(query: CompiledQuery) {
        asked.push(query)
        return transaction.executeQuery(query)
      },
    } as unknown as Db
    const heldByOthers = { automatic: [], manual: [], endpoints: new Set<string>(), senders: 1 }
    await openFindDue(db, claimStatements)(recording, { capacity, held: [], heldByOthers, nowMs })
    const page = transaction
      .selectFrom("delivery")
      .innerJoin("message", "message.id", "delivery.message_id")
      .select(["delivery.id", "message.type", "delivery.state"])
      .where("delivery.endpoint_id", "=", endpointId)
      .orderBy("delivery.id", "desc")
      .limit(50)
      .compile()
    const queues = asked.find(({ sql }) => sql.includes("RECURSIVE") && sql.includes('"due_at"'))
    for (const query of [queues, asked.find(({ sql }) => sql.includes("payload")), page]) {
      if (!query) continue
      const { rows } = await transaction.executeQuery<Record<string, string>>({
        ...query,
        sql: `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) ${query.sql}`,
      })
      say(
        `\n${query.sql.trim().slice(0, 60)} …\n\n\`\`\`\n${rows.map((row) => Object.values(row)[0]).join("\n")}\n\`\`\``,
      )
    }
  })
}

/** A day of attempts: deleted, and dropped as the partition that holds it. */
async function partitions(server: BenchServer, url: string, rows: number): Promise<void> {
  await server.run(
    url,
    `CREATE TABLE day_attempt (LIKE attempt) PARTITION BY RANGE (at);
    CREATE TABLE day_attempt_1 PARTITION OF day_attempt FOR VALUES FROM (0) TO (1000);
    CREATE TABLE day_attempt_2 PARTITION OF day_attempt FOR VALUES FROM (1000) TO (2000);
    ALTER TABLE day_attempt ADD PRIMARY KEY (at, delivery_number, number);
    INSERT INTO day_attempt SELECT i, 1, 'automatic', day * 1000, 'delivered', 204, 3, NULL
      FROM generate_series(1, ${rows}) i, generate_series(0, 1) day`,
  )
  const deleted = await timed(() => server.run(url, "DELETE FROM day_attempt WHERE at < 1000"))
  const dropped = await timed(() => server.run(url, "DROP TABLE day_attempt_2"))
  say(
    `\nA day of ${rows} attempts: deleted in ${deleted.toFixed(0)} ms, dropped as a partition in ${dropped.toFixed(0)} ms`,
  )
}

async function timed(work: () => unknown): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}
