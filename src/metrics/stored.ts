import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { sql } from "kysely"
import { Gauge, type Registry } from "prom-client"
import { secondMs } from "../clock.ts"
import type { Db } from "../db/connection.ts"

/** What stands in the database and on the disk, read when Prometheus asks: it is true also of what other processes did. */
export function addStoredFigures(registry: Registry, db: Db, indexDir: string, now: () => number): void {
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
    const { rows } = await sql<{ waiting: number }>`
      SELECT (SELECT count(*) FROM delivery WHERE due_at IS NOT NULL)
        + (SELECT count(*) FROM delivery WHERE resend_at IS NOT NULL) AS waiting`.execute(db)
    return rows[0]?.waiting ?? 0
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
    return passages ?? 0
  })
  gauge("guichet_index_bytes", "Size of the index folder", () => bytesIn(indexDir))
}

/** How long the oldest attempt that could leave has been waiting; undefined when none is due. */
export async function oldestDueMs(db: Db, nowMs: number): Promise<number | undefined> {
  const { rows } = await sql<{ oldest: number | null }>`
    SELECT min(at) AS oldest FROM (
      SELECT min(due_at) AS at FROM delivery WHERE due_at <= ${nowMs}
      UNION ALL SELECT min(resend_at) FROM delivery WHERE resend_at <= ${nowMs})`.execute(db)
  const oldest = rows[0]?.oldest ?? null
  return oldest === null ? undefined : nowMs - oldest
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true }).catch(() => [])
  let bytes = 0
  // A file may go while it is looked at: an index that was replaced.
  for (const entry of entries)
    bytes += await stat(join(folder, entry)).then(
      ({ size }) => size,
      () => 0,
    )
  return bytes
}
