import { sql } from "kysely"
import { openBatches, perDatabase, type Settled } from "../../db/batch.ts"
import type { Db } from "../../db/connection.ts"
import { prepared, preparedAhead } from "../../db/prepared.ts"
import { withLock } from "../../db/with-lock.ts"
import { eachObject, engineOf } from "../../db/words.ts"
import type { Counter } from "../../limits/limit.ts"
import { isOneOf, type StoredUse, usesIn } from "../../limits/uses.ts"
import { type AskUsage, limitRefusal, type WantedPlace, windowMs } from "./ask-limits.ts"
import { commonHalf, monthShare, type WorkspaceUseQuery, workspaceUse } from "./month-shares.ts"
import { useOfMonth } from "./usage.ts"

/**
 * Reserves a place together with the questions that come meanwhile, of the same organisation or, on SQLite, the same
 * project: one lock, one reading and one writing for all of them. Throws the Refusal of `limitRefusal`.
 */
export function reserve(db: Db, wanted: WantedPlace): Promise<void> {
  return reservedTogether(db)(wanted)
}

const reservedTogether = perDatabase((db: Db) =>
  openBatches<WantedPlace, void>(
    (wanted) => reserveAll(db, wanted),
    ({ project }) => (engineOf(db) === "sqlite" ? project.id : project.organisationId),
  ),
)

/** All places of one organisation, in the order in which they were asked for. */
function reserveAll(db: Db, wanted: readonly WantedPlace[]): Promise<Settled<void>[]> {
  // One batch is decided at one time.
  const nowMs = Math.max(...wanted.map((place) => place.nowMs))
  return withLock(db, `asks:${wanted[0]?.project.organisationId}`, async (transaction) => {
    const usage = await readUsage(transaction, wanted, nowMs)
    const granted: WantedPlace[] = []
    const ended = wanted.map((place): Settled<void> => {
      const refusal = limitRefusal(usage.of(place), place.limits, { ...place, nowMs })
      if (refusal) return { error: refusal }
      usage.add(place)
      granted.push(place)
      return { result: undefined }
    })
    if (granted.length > 0)
      await holdPlaces(transaction, {
        places: JSON.stringify(granted.map((place) => placeRow(place, nowMs))),
      })
    return ended
  })
}

/** Usage before the batch, and by those of its members that got a place. */
async function readUsage(transaction: Db, wanted: readonly WantedPlace[], nowMs: number) {
  const { project, counters, limits } = wanted[0] as WantedPlace
  const quota = limits.perOrganisationMonth
  const projects = Map.groupBy(wanted, (place) => place.project.id)
  const minutes = new Map([...projects].map(([id, places]) => [id, minuteWindow(places)]))
  const [first] = minutes.values()
  const ofMonth = {
    organisationId: project.organisationId,
    month: counters.organisation.period,
    sinceMs: nowMs - windowMs,
  }
  const coveredBefore = commonHalf(quota) - wanted.length
  const { rows } = await storedUsage(transaction, {
    ...ofMonth,
    organisation: counters.organisation.subject,
    coveredBefore,
    counters: JSON.stringify(wanted.flatMap(placeCounters)),
    minutes: JSON.stringify([...minutes].map(([id, minute]) => ({ id, ...minute }))),
    projectId: project.id,
    skip: first?.skip ?? 0,
    most: first?.most ?? 0,
    // Questions more than a minute ahead were stored before the clock was set back.
    untilMs: nowMs + windowMs,
  })
  const of = Map.groupBy(rows, ({ kind }) => kind)
  const uses = usesIn(of.get("use") ?? [])
  const latestByProject = Map.groupBy(of.get("asked") ?? [], ({ subject }) => subject)
  for (const latestFirst of latestByProject.values())
    latestFirst.sort((one, other) => other.until - one.until)
  const isCovered = uses.of(counters.organisation).used <= coveredBefore
  const workspaces =
    engineOf(transaction) === "sqlite" && !isCovered
      ? (await useOfMonth(transaction, ofMonth)).rows
      : of.get("workspace")?.map(({ subject, used }) => ({ id: subject, used }))
  const grantedByProject = new Map<string, number>()

  /** The most recent questions are those of this batch. */
  function blockingAtMs({ project, limits }: WantedPlace): number | undefined {
    const rank = limits.perMinute - 1 - (grantedByProject.get(project.id) ?? 0)
    if (rank < 0) return nowMs
    return latestByProject.get(project.id)?.[rank - (minutes.get(project.id) as Minute).skip]?.until
  }

  return {
    of(place: WantedPlace): AskUsage {
      const [visitor, project, organisation] = placeCounters(place).map((counter) => uses.of(counter).used)
      return {
        visitor: visitor as number,
        project: project as number,
        organisation: organisation as number,
        month: workspaces && monthShare(place.project.workspaceId, quota, organisation as number, workspaces),
        blockingAtMs: blockingAtMs(place),
      }
    },
    add(place: WantedPlace): void {
      for (const counter of placeCounters(place)) uses.add(counter, 1)
      grantedByProject.set(place.project.id, (grantedByProject.get(place.project.id) ?? 0) + 1)
      const workspace = workspaces?.find(({ id }) => id === place.project.workspaceId)
      if (workspace) workspace.used++
    },
  }
}

/** Those of the organisation's workspaces are looked at where its common half no longer covers the month. */
function placeCounters({ counters: { visitor, project, organisation } }: WantedPlace): Counter[] {
  return [visitor, project, organisation]
}

/** Which of a project's questions, the most recent first, may keep its minute full for one of these. */
interface Minute {
  skip: number
  most: number
}

function minuteWindow(places: readonly WantedPlace[]): Minute {
  const limits = places.map((place) => place.limits.perMinute)
  const skip = Math.max(0, Math.min(...limits) - places.length)
  return { skip, most: Math.max(...limits) - skip }
}

function placeRow({ id, project, visitor, counters }: WantedPlace, nowMs: number) {
  const [project_id, organisation_id] = [project.id, project.organisationId]
  return { id, organisation_id, project_id, visitor, day: counters.project.period, at: nowMs }
}

interface UsageQuery extends WorkspaceUseQuery {
  organisation: string
  /** The organisation's questions from which on the workspaces are looked at. */
  coveredBefore: number
  /** JSON: `Counter[]`. */
  counters: string
  /** JSON: `Minute` of each project, with its id. */
  minutes: string
  /** The only project, and its minute, on SQLite. */
  projectId: string
  skip: number
  most: number
  untilMs: number
}

/**
 * Counters, with the reservations as uses of the same ones; times of questions that may keep a minute full; and how
 * much each workspace used (none while the common half covers the month, with the questions of this batch).
 */
type Usage = StoredUse & { kind: "use" | "asked" | "workspace" }

/** One statement, because a question that becomes counted between two would be seen twice, or not at all. */
const storedUsage = prepared<UsageQuery, Usage>((value, db) => {
  const isRecent = sql`at > ${value("sinceMs")} AND at <= ${value("untilMs")}`
  const latestQuestions =
    engineOf(db) === "sqlite"
      ? sql`
        SELECT project_id, at FROM recent_ask WHERE project_id = ${value("projectId")} AND ${isRecent}
        ORDER BY at DESC LIMIT (SELECT ${value("most")}) OFFSET (SELECT ${value("skip")})`
      : sql`
        SELECT project_id, at
        FROM json_to_recordset((${value("minutes")}::text)::json) AS minute (id text, skip bigint, most bigint)
        CROSS JOIN LATERAL (
          SELECT project_id, at FROM recent_ask WHERE project_id = minute.id AND ${isRecent}
          ORDER BY at DESC LIMIT minute.most OFFSET minute.skip) earlier`
  // SQLite would read them every time: there a second statement does, and nothing comes between the two.
  const workspaces =
    engineOf(db) === "sqlite"
      ? sql``
      : sql`
        UNION ALL SELECT 'workspace', '', id, used, 0 FROM (${workspaceUse(value)}) workspaces
      WHERE CAST(${value("coveredBefore")} AS bigint)
        < coalesce((SELECT used FROM limit_count
            WHERE period = ${value("month")} AND subject = ${value("organisation")}), 0)
          + coalesce((SELECT sum(places) FROM reserved), 0)`
  return sql<Usage>`
    WITH reserved AS (
      SELECT day, project_id, visitor, count(*) AS places FROM recent_ask
      WHERE organisation_id = ${value("organisationId")} AND counted = 0 AND at > ${value("sinceMs")}
      GROUP BY day, project_id, visitor)
    SELECT 'use' AS kind, period, subject, used, until FROM limit_count WHERE ${isOneOf(db, value("counters"))}
    UNION ALL SELECT 'use', day, 'visitor:' || project_id || ':' || visitor, places, 0 FROM reserved
    UNION ALL SELECT 'use', day, 'project:' || project_id, places, 0 FROM reserved
    UNION ALL SELECT 'use', CAST(${value("month")} AS text), CAST(${value("organisation")} AS text), places, 0
      FROM reserved
    UNION ALL SELECT 'asked', '', project_id, 0, at FROM (${latestQuestions}) asked${workspaces}`.compile(db)
})

const holdPlaces = preparedAhead<{ places: string }>((value, db) =>
  sql`
    INSERT INTO recent_ask (id, organisation_id, project_id, visitor, day, at, counted)
    SELECT value ->> 'id', value ->> 'organisation_id', value ->> 'project_id', value ->> 'visitor', value ->> 'day',
      CAST(value ->> 'at' AS bigint), 0
    FROM ${eachObject(db, value("places"))}`.compile(db),
)
