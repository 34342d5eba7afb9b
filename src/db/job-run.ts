import { sql } from "kysely"
import { minuteMs } from "../base/clock.ts"
import type { Db } from "./connection.ts"
import { isOrphaned } from "./node.ts"

/** Time when a recurring job last began, in any process; undefined if it never did. */
export async function lastRun(db: Db, name: string): Promise<number | undefined> {
  const row = await db.selectFrom("job").select("last_run_at").where("name", "=", name).executeTakeFirst()
  return row?.last_run_at
}

/** The run of a job that is due since `slotMs`. */
export interface Run {
  name: string
  slotMs: number
  nowMs: number
  /** The node that would run it; undefined where one process alone runs jobs. */
  nodeId: string | undefined
}

/**
 * Begins a run, unless one began since its slot, or another node has not ended the last one. One of all the nodes
 * that ask gets true. Stores the start, not the end, so that a job that kills the process does not restart forever.
 */
export async function claimRun(db: Db, { name, slotMs, nowMs, nodeId }: Run): Promise<boolean> {
  const begun = { last_run_at: Math.max(nowMs, slotMs), node_id: nodeId ?? null }
  const rows = await db
    .insertInto("job")
    .values({ name, ...begun })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet(begun)
        .where((row) =>
          row.and([
            // A run in the future: the clock was set back since.
            row.or([
              row("job.last_run_at", "<", slotMs),
              row("job.last_run_at", ">", begun.last_run_at + minuteMs),
            ]),
            row.or([
              row("job.node_id", "is", null),
              row("job.node_id", "in", holderNames(nodeId ?? "")),
              sql<boolean>`job.node_id NOT IN (SELECT id FROM node UNION ALL SELECT id || ${again} FROM node)`,
            ]),
          ]),
        ),
    )
    .returning("name")
    .execute()
  return rows.length > 0
}

/** The node has ended its run, so that no other one takes it over. */
export async function endRun(db: Db, name: string, nodeId: string): Promise<void> {
  await db
    .updateTable("job")
    .set({ node_id: null })
    .where("name", "=", name)
    .where("node_id", "in", holderNames(nodeId))
    .execute()
}

/** A run that was taken over is held by the id of its node and this word. */
const again = " again"

function holderNames(nodeId: string): string[] {
  return [nodeId, nodeId + again]
}

/**
 * Begins once more those of the named jobs whose node died in the middle of a run; one node alone gets each of them.
 * A job that kills that node as well is not taken over again.
 */
export async function takeOverRuns(
  db: Db,
  names: readonly string[],
  { nowMs, nodeId }: Pick<Run, "nowMs"> & { nodeId: string },
): Promise<string[]> {
  const rows = await db
    .updateTable("job")
    .set({ node_id: nodeId + again, last_run_at: nowMs })
    .where("name", "in", names)
    .where(isOrphaned("job"))
    .where("node_id", "not like", `%${again}`)
    .returning("name")
    .execute()
  return rows.map(({ name }) => name)
}

/** Undoes the start of a run. `before` is the result of `lastRun` before it. */
export async function unmarkRun(db: Db, name: string, before: number | undefined): Promise<void> {
  if (before === undefined) await db.deleteFrom("job").where("name", "=", name).execute()
  else await markRun(db, name, before)
}

/** The name under which the last mail that a server took is kept among the runs. */
export const mailSent = "mail sent"
const done = ": done"

/** Stores that a run succeeded, beside its start. */
export async function markDone(db: Db, name: string, nowMs: number): Promise<void> {
  await markRun(db, name + done, nowMs)
}

/** The earliest of the last successes of all jobs that store theirs; undefined before the first. */
export async function oldestDone(db: Db): Promise<number | undefined> {
  const { oldest } = await db
    .selectFrom("job")
    .select(({ fn }) => fn.min<number | null>("last_run_at").as("oldest"))
    .where("name", "like", `%${done}`)
    .executeTakeFirstOrThrow()
  return oldest ?? undefined
}

/** Stores the start of a run, on whichever node. */
export async function markRun(db: Db, name: string, nowMs: number): Promise<void> {
  const begun = { last_run_at: nowMs, node_id: null }
  await db
    .insertInto("job")
    .values({ name, ...begun })
    .onConflict((conflict) => conflict.column("name").doUpdateSet(begun))
    .execute()
}
