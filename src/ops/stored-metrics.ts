import { secondMs } from "../base/clock.ts"
import type { Db } from "../db/connection.ts"
import { lastRun, mailSent, oldestDone } from "../db/job-run.ts"
import { listNodes } from "../db/node.ts"
import { countOf } from "../db/store.ts"
import type { DatabaseGauges } from "./database-gauges.ts"

export function addStoredMetrics({ add }: DatabaseGauges, db: Db, now: () => number): void {
  add("guichet_deliveries_waiting", "Attempts that wait for their time or are in flight", async () => {
    const [due, resent, waiting] = await Promise.all(
      (["due_at", "resend_at", "waits_since"] as const).map((column) => countDue(db, column)),
    )
    return (due ?? 0) + (resent ?? 0) + (waiting ?? 0)
  })
  add("guichet_oldest_due_delivery_seconds", "For how long the oldest attempt has been due", async () => {
    const oldest = await oldestDueMs(db, now())
    return oldest === undefined ? 0 : oldest / secondMs
  })
  add("guichet_endpoints_failing", "Endpoints whose last attempt failed", () =>
    countOf(db, "endpoint_failure", {}),
  )
  add("guichet_index_passages", "Passages of all live indexes", async () => {
    const { passages } = await db
      .selectFrom("generation")
      .select(({ fn }) => fn.sum<number | null>("passages").as("passages"))
      .where("live", "=", 1)
      .executeTakeFirstOrThrow()
    // PostgreSQL gives the sum of integers as a text: it may be larger than any.
    return Number(passages ?? 0)
  })
  add("guichet_mails_waiting", "Mails that wait to be sent or are tried again", () =>
    countOf(db, "mail", { failed_at: null }),
  )
  add("guichet_last_mail_timestamp_seconds", "When the mail server last took a mail", async () =>
    inSeconds(await lastRun(db, mailSent)),
  )
  add("guichet_last_purge_timestamp_seconds", "Before this time every kind of purge succeeded", async () =>
    inSeconds(await oldestDone(db)),
  )
  add(
    "guichet_last_reading_timestamp_seconds",
    "When a documentation was last read with success",
    async () => {
      const { ended } = await db
        .selectFrom("indexing_run")
        .select(({ fn }) => fn.max<number | null>("ended_at").as("ended"))
        .where("outcome", "not like", `{"trouble"%`)
        .executeTakeFirstOrThrow()
      return inSeconds(ended ?? undefined)
    },
  )
}

function inSeconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / secondMs
}

/** How many nodes live, as the database has it: an alert finds that one is missing. */
export function addNodeMetrics({ add }: DatabaseGauges, db: Db): void {
  add("guichet_nodes", "Nodes that share the database", async () => (await listNodes(db)).length)
}

/** For how long the oldest due attempt has been waiting; undefined when none is due. */
export async function oldestDueMs(db: Db, nowMs: number): Promise<number | undefined> {
  const since = [await firstDue(db, "due_at", nowMs), await firstDue(db, "resend_at", nowMs)]
  const times = since.filter((time) => time !== null)
  return times.length === 0 ? undefined : nowMs - Math.min(...times)
}

async function countDue(db: Db, column: "due_at" | "resend_at" | "waits_since"): Promise<number> {
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
