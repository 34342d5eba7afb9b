import { sql } from "kysely"
import { secondMs } from "../../../base/clock.ts"
import { openBatches, perDatabase, type Settled } from "../../../db/batch.ts"
import type { Db } from "../../../db/connection.ts"
import type { CounterKey } from "../../../db/count.ts"
import { prepared, preparedAhead } from "../../../db/prepared.ts"
import { withLock } from "../../../db/with-lock.ts"
import { eachOf } from "../../../db/words.ts"
import { type AskUsage, limitRefusal, type WantedPlace, windowMs } from "../ask-limits.ts"
import {
  commonHalf,
  shareOf,
  type WorkspaceUse,
  type WorkspaceUseQuery,
  workspaceUse,
} from "../month-shares.ts"

/**
 * Reserves a place together with the questions of the same organisation that come meanwhile: one lock, one reading
 * and one writing for all of them. Throws the Refusal of `refusalOf`.
 */
export function reserve(db: Db, wanted: WantedPlace): Promise<void> {
  return batchesOf(db)(wanted)
}

const batchesOf = perDatabase((db: Db) => {
  const forgetter = openForgetter()
  return openBatches<WantedPlace, void>(
    (wanted) => reserveAll(db, wanted, forgetter),
    ({ project }) => project.organisationId,
  )
})

/** All places of one organisation, in the order in which they were asked for. */
function reserveAll(
  db: Db,
  wanted: readonly WantedPlace[],
  isDueToForget: (organisationId: string, nowMs: number) => boolean,
): Promise<Settled<void>[]> {
  const { organisationId } = (wanted[0] as WantedPlace).project
  // One batch is decided at one time.
  const nowMs = Math.max(...wanted.map((place) => place.nowMs))
  return withLock(db, `asks:${organisationId}`, async (transaction) => {
    const usage = await readUsage(transaction, organisationId, wanted, nowMs)
    const ended = wanted.map((place): Settled<void> => {
      const refusal = limitRefusal(usage.of(place), { ...place, nowMs })
      if (refusal) return { error: refusal }
      usage.add(place)
      return { result: undefined }
    })
    const granted = wanted.filter((_, index) => "result" in (ended[index] as Settled<void>))
    if (granted.length > 0) {
      if (isDueToForget(organisationId, nowMs))
        await forgetOld(transaction, { projectIds: projectIdsIn(granted), untilMs: nowMs - windowMs })
      await holdPlaces(transaction, { places: JSON.stringify(granted.map((place) => rowOf(place, nowMs))) })
    }
    return ended
  })
}

const forgetEveryMs = 5 * secondMs
const maxRemembered = 10_000

/** Questions older than a minute count for nothing: deleting them can wait, and then costs every question less. */
function openForgetter() {
  const forgottenAtMs = new Map<string, number>()
  return (organisationId: string, nowMs: number): boolean => {
    const lastMs = forgottenAtMs.get(organisationId) ?? 0
    if (Math.abs(nowMs - lastMs) < forgetEveryMs) return false
    if (forgottenAtMs.size >= maxRemembered) forgottenAtMs.clear()
    forgottenAtMs.set(organisationId, nowMs)
    return true
  }
}

/** Usage before the batch, and by those of its members that got a place. */
async function readUsage(
  transaction: Db,
  organisationId: string,
  wanted: readonly WantedPlace[],
  nowMs: number,
) {
  const subjects = wanted.flatMap((place) => Object.values(place.subjects))
  const projects = Map.groupBy(wanted, ({ project }) => project.id)
  const minutes = new Map([...projects].map(([id, places]) => [id, minuteOf(places)]))
  const { subjects: first, limits: shared } = wanted[0] as WantedPlace
  const quota = shared.perOrganisationMonth
  const { rows } = await storedUsage(transaction, {
    organisationId,
    organisationSubject: first.organisation.subject,
    month: first.organisation.period,
    coveredBefore: commonHalf(quota) - wanted.length,
    counted: JSON.stringify([...new Map(subjects.map((subject) => [keyOf(subject), subject])).values()]),
    minutes: JSON.stringify([...minutes].map(([id, minute]) => ({ id, ...minute }))),
    sinceMs: nowMs - windowMs,
    // Questions more than a minute ahead were stored before the clock was set back.
    untilMs: nowMs + windowMs,
  })
  const { counted, reserved, asked, workspaces } = JSON.parse(
    (rows[0] as { usage: string }).usage,
  ) as StoredUsage
  const used = new Map<string, number>()
  const add = (key: string, count: number) => used.set(key, (used.get(key) ?? 0) + count)
  for (const { subject, period, used: count } of counted) add(keyOf({ subject, period }), count)
  for (const { project, visitor, day, places } of reserved) {
    add(keyOf({ subject: `project:${project}`, period: day }), places)
    add(keyOf({ subject: `visitor:${project}:${visitor}`, period: day }), places)
  }
  const reservedPlaces = reserved.reduce((sum, { places }) => sum + places, 0)
  let granted = 0
  const grantedOf = new Map<string, number>()
  const use = new Map(workspaces?.map((workspace) => [workspace.id, workspace]))
  const askedOf = Map.groupBy(asked, ({ project }) => project)

  /** The most recent questions are those of this batch. */
  function blockingAtMs({ project, limits }: WantedPlace): number | undefined {
    const rank = limits.perMinute - 1 - (grantedOf.get(project.id) ?? 0)
    if (rank < 0) return nowMs
    return askedOf.get(project.id)?.[rank - (minutes.get(project.id) as Minute).skip]?.at
  }

  return {
    of(place: WantedPlace): AskUsage {
      const { visitor, project, organisation } = place.subjects
      const ofAll = (used.get(keyOf(organisation)) ?? 0) + reservedPlaces + granted
      return {
        visitor: used.get(keyOf(visitor)) ?? 0,
        project: used.get(keyOf(project)) ?? 0,
        organisation: ofAll,
        month: workspaces ? shareOf(place.project.workspaceId, quota, ofAll, workspaces) : undefined,
        blockingAtMs: blockingAtMs(place),
      }
    },
    add({ project, subjects }: WantedPlace): void {
      add(keyOf(subjects.visitor), 1)
      add(keyOf(subjects.project), 1)
      grantedOf.set(project.id, (grantedOf.get(project.id) ?? 0) + 1)
      const workspace = use.get(project.workspaceId)
      if (workspace) workspace.used++
      granted++
    },
  }
}

/** Which of a project's questions, the most recent first, may keep its minute full for one of these. */
interface Minute {
  skip: number
  most: number
}

function minuteOf(places: readonly WantedPlace[]): Minute {
  const limits = places.map((place) => place.limits.perMinute)
  const skip = Math.max(0, Math.min(...limits) - places.length)
  return { skip, most: Math.max(...limits) - skip }
}

function keyOf({ subject, period }: CounterKey): string {
  return `${subject} ${period}`
}

function projectIdsIn(places: readonly WantedPlace[]): string {
  return JSON.stringify([...new Set(places.map(({ project }) => project.id))])
}

function rowOf({ id, project, visitor, subjects }: WantedPlace, nowMs: number) {
  const [project_id, organisation_id] = [project.id, project.organisationId]
  return { id, organisation_id, project_id, visitor, day: subjects.project.period, at: nowMs, counted: 0 }
}

interface StoredUsage {
  counted: (CounterKey & { used: number })[]
  reserved: { project: string; visitor: string; day: string; places: number }[]
  /** Most recent first within each project. */
  asked: { project: string; at: number }[]
  /** Null while the common half covers the month, with the questions of this batch. */
  workspaces: WorkspaceUse | null
}

interface UsageQuery extends WorkspaceUseQuery {
  organisationSubject: string
  /** The organisation's questions from which on the workspaces are looked at. */
  coveredBefore: number
  /** JSON: the counters (`Counted[]`). */
  counted: string
  /** JSON: `Minute` of each project, with its id. */
  minutes: string
  untilMs: number
}

/** One statement, because a question that becomes counted between two would be seen twice, or not at all. */
const storedUsage = prepared<UsageQuery, { usage: string }>((value, db) =>
  sql<{ usage: string }>`
    SELECT json_build_object(
      'counted', (
        SELECT coalesce(json_agg(limit_count), '[]')
        FROM json_to_recordset((${value("counted")}::text)::json) AS wanted (subject text, period text)
        JOIN limit_count ON limit_count.subject = wanted.subject AND limit_count.period = wanted.period),
      'reserved', (
        SELECT coalesce(json_agg(reserved), '[]') FROM (
          SELECT project_id AS project, visitor, day, count(*) AS places FROM recent_ask
          WHERE organisation_id = ${value("organisationId")} AND counted = 0 AND at > ${value("sinceMs")}
          GROUP BY project_id, visitor, day) reserved),
      'asked', (
        SELECT coalesce(json_agg(asked), '[]') FROM (
          SELECT minute.id AS project, earlier.at
          FROM json_to_recordset((${value("minutes")}::text)::json) AS minute (id text, skip bigint, most bigint)
          CROSS JOIN LATERAL (
            SELECT at FROM recent_ask
            WHERE project_id = minute.id AND at > ${value("sinceMs")} AND at <= ${value("untilMs")}
            ORDER BY at DESC LIMIT minute.most OFFSET minute.skip) earlier
          ORDER BY earlier.at DESC) asked),
      'workspaces', CASE WHEN
        coalesce((SELECT used FROM limit_count
          WHERE subject = ${value("organisationSubject")} AND period = ${value("month")}), 0)
        + (SELECT count(*) FROM recent_ask
          WHERE organisation_id = ${value("organisationId")} AND counted = 0 AND at > ${value("sinceMs")})
        > ${value("coveredBefore")}::bigint
        THEN (SELECT coalesce(json_agg(workspaces), '[]') FROM (${workspaceUse(value)}) workspaces) END
    )::text AS usage`.compile(db),
)

const forgetOld = preparedAhead<{ projectIds: string; untilMs: number }>((value, db) =>
  db
    .deleteFrom("recent_ask")
    .where("project_id", "in", eachOf(db, value("projectIds")))
    .where("at", "<=", value("untilMs"))
    .compile(),
)

const holdPlaces = preparedAhead<{ places: string }>((value, db) =>
  sql`
    INSERT INTO recent_ask SELECT * FROM json_populate_recordset(NULL::recent_ask, (${value("places")}::text)::json)`.compile(
    db,
  ),
)
