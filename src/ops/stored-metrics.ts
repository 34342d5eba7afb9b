import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { Gauge, type Registry } from "prom-client"
import { secondMs } from "../base/clock.ts"
import type { Db } from "../db/connection.ts"
import { listNodes } from "../db/node.ts"

/**
 * Metrics of the database and the disk. They are read when Prometheus asks, so that they include the work of
 * other processes.
 */
export function addStoredMetrics(registry: Registry, db: Db, indexDir: string, now: () => number): void {
  function gauge(name: string, help: string, read: () => Promise<number>): void {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(await read())
      },
    })
  }

  gauge("guichet_deliveries_waiting", "Attempts that wait for their time or are in flight", async () => {
    return (await countDue(db, "due_at")) + (await countDue(db, "resend_at"))
  })
  gauge("guichet_oldest_due_delivery_seconds", "For how long the oldest attempt has been due", async () => {
    const oldest = await oldestDueMs(db, now())
    return oldest === undefined ? 0 : oldest / secondMs
  })
  gauge("guichet_endpoints_failing", "Endpoints whose last attempt failed", async () => {
    const { failing } = await db
      .selectFrom("endpoint_failure")
      .select(({ fn }) => fn.countAll<number>().as("failing"))
      .executeTakeFirstOrThrow()
    return failing
  })
  gauge("guichet_index_passages", "Passages of all live indexes", async () => {
    const { passages } = await db
      .selectFrom("generation")
      .select(({ fn }) => fn.sum<number | null>("passages").as("passages"))
      .where("live", "=", 1)
      .executeTakeFirstOrThrow()
    // PostgreSQL gives the sum of integers as a text: it may be larger than any.
    return Number(passages ?? 0)
  })
  gauge("guichet_index_bytes", "Size of the index folder", () => bytesIn(indexDir))
}

/** How many nodes live, as the database has it: an alert finds that one is missing. */
export function addNodeMetrics(registry: Registry, db: Db): void {
  new Gauge({
    name: "guichet_nodes",
    help: "Nodes that share the database",
    registers: [registry],
    async collect() {
      this.set((await listNodes(db)).length)
    },
  })
}

/** For how long the oldest due attempt has been waiting; undefined when none is due. */
export async function oldestDueMs(db: Db, nowMs: number): Promise<number | undefined> {
  const since = [await firstDue(db, "due_at", nowMs), await firstDue(db, "resend_at", nowMs)]
  const times = since.filter((time) => time !== null)
  return times.length === 0 ? undefined : nowMs - Math.min(...times)
}

async function countDue(db: Db, column: "due_at" | "resend_at"): Promise<number> {
  const { waiting } = await db
    .selectFrom("delivery")
    .select(({ fn }) => fn.countAll<number>().as("waiting"))
    .where(column, "is not", null)
    .executeTakeFirstOrThrow()
  return waiting
}

async function firstDue(db: Db, column: "due_at" | "resend_at", nowMs: number): Promise<number | null> {
  const { first } = await db
    .selectFrom("delivery")
    .select(({ fn }) => fn.min<number | null>(column).as("first"))
    .where(column, "<=", nowMs)
    .executeTakeFirstOrThrow()
  return first
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true }).catch(() => [])
  let bytes = 0
  // A file of an index that is being replaced may disappear before `stat`.
  for (const entry of entries)
    bytes += await stat(join(folder, entry)).then(
      ({ size }) => size,
      () => 0,
    )
  return bytes
}
