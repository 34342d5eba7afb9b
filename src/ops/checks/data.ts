import { hourMs, isoTime, minuteMs, secondMs } from "../../base/clock.ts"
import type { Config } from "../../config/config.ts"
import { type Db, databasePath } from "../../db/sqlite/connection.ts"
import { damageOf } from "../../db/sqlite/integrity.ts"
import { oldestDueMs } from "../stored-metrics.ts"
import { type CheckResult, failed, ok, warning } from "./check.ts"

interface DataCheckDeps {
  config: Pick<Config, "dataDir">
  db: Db
  indexes: { staleIndexes(look: { files: boolean }): Promise<string[]> }
  writable(): Promise<boolean>
}

export async function checkDatabase(
  { config, writable }: DataCheckDeps,
  whole: boolean,
): Promise<CheckResult> {
  if (!(await writable())) return failed("cannot be written to")
  if (!whole) return ok("can be written to")
  const [damage] = damageOf(databasePath(config.dataDir))
  return damage === undefined ? ok("sound, and can be written to") : failed(`damaged: ${damage}`)
}

/**
 * Finds indexes that must be built again, and projects with a feed but no index, whose visitors are answered
 * `not_indexed`. Covers one workspace, or all of them.
 */
export async function checkIndex({ db, indexes }: DataCheckDeps, workspaceId?: string): Promise<CheckResult> {
  const projects = await db
    .selectFrom("project")
    .select("id")
    .$if(workspaceId !== undefined, (query) => query.where("workspace_id", "=", workspaceId as string))
    .execute()
  const isOwn = (id: string) => projects.some((project) => project.id === id)
  const stale = (await indexes.staleIndexes({ files: true })).filter(isOwn)
  if (stale.length > 0) return warning(`to be built again, which the service does: ${stale.join(", ")}`)
  const unindexed = await db
    .selectFrom("project")
    .innerJoin("feed", "feed.project_id", "project.id")
    .leftJoin("generation", (join) =>
      join.onRef("generation.project_id", "=", "project.id").on("live", "=", 1),
    )
    .select("project.id")
    .distinct()
    .where("generation.number", "is", null)
    .execute()
  const missing = unindexed.filter(({ id }) => isOwn(id))
  if (missing.length > 0)
    return warning(`projects with a feed and no index: ${missing.map(({ id }) => id).join(", ")}`)
  return ok("every project that was read has its index")
}

/**
 * Fails when a stored time lies in the future: the clock was set back, and due deliveries would wait until it
 * catches up.
 */
export async function checkClock(db: Db, nowMs: number): Promise<CheckResult> {
  const { last } = await db
    .selectFrom("job")
    .select(({ fn }) => fn.max<number | null>("last_run_at").as("last"))
    .executeTakeFirstOrThrow()
  const aheadMs = (last ?? 0) - nowMs
  return aheadMs > minuteMs
    ? failed(`${isoTime(nowMs)}, ${Math.round(aheadMs / secondMs)} s before what is stored: it was set back`)
    : ok(isoTime(nowMs))
}

/**
 * The service looks for due deliveries every second. One that has been due for long means that the service
 * does not run, or cannot write.
 */
export async function checkDeliveries(db: Db, nowMs: number): Promise<CheckResult> {
  const waitedMs = await oldestDueMs(db, nowMs)
  if (waitedMs === undefined) return ok("nothing is overdue")
  const detail = `the oldest has been due for ${Math.round(waitedMs / secondMs)} s`
  if (waitedMs > hourMs) return failed(`${detail}: does the service run?`)
  return waitedMs > minuteMs ? warning(detail) : ok(detail)
}
