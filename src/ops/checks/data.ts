import { type Clock, dayMs, hourMs, isoTime, minuteMs, secondMs, systemClock } from "../../base/clock.ts"
import { detail } from "../../base/errors.ts"
import { idsOf } from "../../base/ids.ts"
import type { Config } from "../../config/config.ts"
import type { Db } from "../../db/connection.ts"
import { lastRun } from "../../db/job-run.ts"
import { readServerTime } from "../../db/postgres/clock.ts"
import { keepsSession } from "../../db/postgres/session.ts"
import { databasePath } from "../../db/sqlite/connection.ts"
import { findDamage } from "../../db/sqlite/integrity.ts"
import { engineOf } from "../../db/words.ts"
import { oldestDueMs } from "../stored-metrics.ts"
import { type CheckResult, failed, ok, warning } from "./check.ts"

export interface IndexChecks {
  staleIndexes(options: { files: boolean }): Promise<string[]>
  wordsOnlyIndexes(): Promise<{ projectId: string; passages: number }[]>
}

interface DataCheckDeps {
  config: Pick<Config, "dataDir" | "secrets">
  db: Db
  indexes: IndexChecks
  writable(): Promise<boolean>
}

export async function checkDatabase(
  { config, writable }: DataCheckDeps,
  whole: boolean,
): Promise<CheckResult> {
  if (!(await writable())) return failed(detail("checks.databaseReadOnly"))
  const { database } = config.secrets
  if (database && !(await keepsSession(database))) return failed(detail("checks.databasePooled"))
  // PostgreSQL checks its own pages.
  if (!whole || database) return ok(detail("checks.databaseWritable"))
  const [damage] = findDamage(databasePath(config.dataDir))
  return damage === undefined
    ? ok(detail("checks.databaseSound"))
    : failed(detail("checks.databaseDamaged", { damage }))
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
  const wordsOnly = (await indexes.wordsOnlyIndexes()).map(({ projectId }) => projectId).filter(isOwn)
  const stale = (await indexes.staleIndexes({ files: true })).filter(isOwn)
  const outdated = stale.filter((id) => !wordsOnly.includes(id))
  if (outdated.length > 0) return warning(detail("checks.indexesOutdated", { projects: outdated }))
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
  const missing = idsOf(unindexed).filter(isOwn)
  if (missing.length > 0) return warning(detail("checks.indexesMissing", { projects: missing }))
  return ok(
    wordsOnly.length > 0
      ? detail("checks.vectorsFollow", { projects: wordsOnly })
      : detail("checks.indexesPresent"),
  )
}

/**
 * Finds projects whose chosen answers are no longer given, and those whose last evaluation found fewer questions
 * answered as expected. Covers one workspace, or all of them.
 */
export async function checkAnswers(db: Db, workspaceId?: string): Promise<CheckResult> {
  const { setAside, fallen } = await answersInDoubt(db, workspaceId)
  if (setAside.size > 0) return warning(detail("checks.answersSetAside", { projects: [...setAside.keys()] }))
  if (fallen.size > 0) return warning(detail("checks.answersFell", { projects: [...fallen.keys()] }))
  return ok(detail("checks.answersFine"))
}

/**
 * By the id of the project: the number of its chosen answers that are not given since their sources are gone, and by
 * how much its last evaluation fell, where the owner has not agreed.
 */
export async function answersInDoubt(db: Db, workspaceId?: string) {
  const setAside = await db
    .selectFrom("chosen_answer")
    .innerJoin("project", "project.id", "chosen_answer.project_id")
    .select(({ fn }) => ["project.id", fn.countAll<number>().as("count")])
    .where("set_aside_at", "is not", null)
    .$if(workspaceId !== undefined, (query) => query.where("workspace_id", "=", workspaceId as string))
    .groupBy("project.id")
    .orderBy("project.id")
    .execute()
  const fallen = await db
    .selectFrom("evaluation_run as run")
    .innerJoin("project", "project.id", "run.project_id")
    .select(["project.id", "lost"])
    .where("lost", ">", 0)
    .where("is_accepted", "=", 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("evaluation_run as later")
            .select("later.id")
            .whereRef("later.project_id", "=", "run.project_id")
            .whereRef("later.id", ">", "run.id")
            .where("later.ended_at", "is not", null),
        ),
      ),
    )
    .$if(workspaceId !== undefined, (query) => query.where("workspace_id", "=", workspaceId as string))
    .orderBy("project.id")
    .execute()
  return {
    setAside: new Map(setAside.map(({ id, count }) => [id, Number(count)])),
    fallen: new Map(fallen.map(({ id, lost }) => [id, lost])),
  }
}

/** Webhooks are signed, and links and certificates judged, by clocks that agree by less. */
const maxApartMs = 5 * secondMs

/**
 * Warns when the clock of this machine is not that of PostgreSQL, which the nodes go by.
 * Fails when a stored time lies in the future: the clock was set back, and due deliveries would wait until it
 * catches up.
 */
export async function checkClock(db: Db, nowMs: number, machine: Clock = systemClock): Promise<CheckResult> {
  const { last } = await db
    .selectFrom("job")
    .select(({ fn }) => fn.max<number | null>("last_run_at").as("last"))
    .executeTakeFirstOrThrow()
  const aheadMs = (last ?? 0) - nowMs
  const now = isoTime(nowMs)
  const apartMs = engineOf(db) === "postgres" ? machine.now() - (await readServerTime(db)) : 0
  if (Math.abs(apartMs) > maxApartMs)
    return warning(detail("checks.clockApart", { now, seconds: Math.round(apartMs / secondMs) }))
  return aheadMs > minuteMs
    ? failed(detail("checks.clockSetBack", { now, seconds: Math.round(aheadMs / secondMs) }))
    : ok(detail("checks.clock", { now }))
}

/** Under this name the service notes when it last met X-Forwarded-For that it could not believe. */
export const untrustedForwardingSeen = "untrusted X-Forwarded-For"

/** The service notes it once an hour as long as it goes on. */
export async function checkProxies(db: Db, trusted: readonly string[], nowMs: number): Promise<CheckResult> {
  const lastMs = await lastRun(db, untrustedForwardingSeen)
  const proxies = trusted.join(", ")
  return lastMs !== undefined && nowMs - lastMs < dayMs
    ? warning(detail("checks.forwardingUntrusted", { at: isoTime(lastMs), proxies }))
    : ok(detail("checks.forwardingTrusted", { proxies }))
}

/**
 * The service looks for due deliveries every second. One that has been due for long means that the service
 * does not run, or cannot write.
 */
export async function checkDeliveries(db: Db, nowMs: number): Promise<CheckResult> {
  const waitedMs = await oldestDueMs(db, nowMs)
  if (waitedMs === undefined) return ok(detail("checks.deliveriesOnTime"))
  const seconds = Math.round(waitedMs / secondMs)
  if (waitedMs > hourMs) return failed(detail("checks.deliveriesStuck", { seconds }))
  const due = detail("checks.deliveriesDue", { seconds })
  return waitedMs > minuteMs ? warning(due) : ok(due)
}
