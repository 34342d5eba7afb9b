import { hourMs, isoTime, minuteMs, secondMs } from "../../base/clock.ts"
import { detail } from "../../base/errors.ts"
import type { Config } from "../../config/config.ts"
import { type Db, databasePath } from "../../db/sqlite/connection.ts"
import { damageOf } from "../../db/sqlite/integrity.ts"
import { oldestDueMs } from "../stored.ts"
import { type Found, failed, ok, warning } from "./check.ts"

interface DataParts {
  config: Pick<Config, "dataDir">
  db: Db
  indexes: { staleIndexes(options: { files: boolean }): Promise<string[]> }
  writable(): Promise<boolean>
}

export async function checkDatabase({ config, writable }: DataParts, whole: boolean): Promise<Found> {
  if (!(await writable())) return failed(detail("checks.databaseReadOnly"))
  if (!whole) return ok(detail("checks.databaseWritable"))
  const [damage] = damageOf(databasePath(config.dataDir))
  return damage === undefined
    ? ok(detail("checks.databaseSound"))
    : failed(detail("checks.databaseDamaged", { damage }))
}

/**
 * A project with a feed that was read and no index answers `not_indexed`. Of one workspace, or of all of
 * them.
 */
export async function checkIndex({ db, indexes }: DataParts, workspaceId?: string): Promise<Found> {
  const projects = await db
    .selectFrom("project")
    .select("id")
    .$if(workspaceId !== undefined, (query) => query.where("workspace_id", "=", workspaceId as string))
    .execute()
  const isOwn = (id: string) => projects.some((project) => project.id === id)
  const stale = (await indexes.staleIndexes({ files: true })).filter(isOwn)
  if (stale.length > 0) return warning(detail("checks.indexesOutdated", { projects: stale }))
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
  const projectIds = unindexed.map(({ id }) => id).filter(isOwn)
  return projectIds.length > 0
    ? warning(detail("checks.indexesMissing", { projects: projectIds }))
    : ok(detail("checks.indexesPresent"))
}

/** A clock behind the last stored time was set back, and due times would wait for it. */
export async function checkClock(db: Db, nowMs: number): Promise<Found> {
  const { last } = await db
    .selectFrom("job")
    .select(({ fn }) => fn.max<number | null>("last_run_at").as("last"))
    .executeTakeFirstOrThrow()
  const aheadMs = (last ?? 0) - nowMs
  const now = isoTime(nowMs)
  return aheadMs > minuteMs
    ? failed(detail("checks.clockSetBack", { now, seconds: Math.round(aheadMs / secondMs) }))
    : ok(detail("checks.clock", { now }))
}

/** The service looks every second: a delivery long due means that it does not run, or cannot write. */
export async function checkDeliveries(db: Db, nowMs: number): Promise<Found> {
  const waitedMs = await oldestDueMs(db, nowMs)
  if (waitedMs === undefined) return ok(detail("checks.deliveriesOnTime"))
  const seconds = Math.round(waitedMs / secondMs)
  if (waitedMs > hourMs) return failed(detail("checks.deliveriesStuck", { seconds }))
  const due = detail("checks.deliveriesDue", { seconds })
  return waitedMs > minuteMs ? warning(due) : ok(due)
}
