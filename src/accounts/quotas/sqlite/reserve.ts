import { sql } from "kysely"
import type { Db } from "../../../db/connection.ts"
import { prepared } from "../../../db/prepared.ts"
import { type AskUsage, limitRefusal, type WantedPlace, windowMs } from "../ask-limits.ts"
import {
  commonHalf,
  shareOf,
  type WorkspaceUse,
  type WorkspaceUseQuery,
  workspaceUse,
} from "../month-shares.ts"

/** Reserves a place in a transaction of its own, which SQLite runs alone. Throws the Refusal of `refusalOf`. */
export function reserve(db: Db, wanted: WantedPlace): Promise<void> {
  const { id, project, visitor, subjects, nowMs } = wanted
  const { id: projectId, organisationId } = project
  const day = subjects.project.period
  return db.transaction().execute(async (transaction) => {
    await forgetOld(transaction, { projectId, untilMs: nowMs - windowMs })
    const refusal = limitRefusal(await usedBy(transaction, wanted), wanted)
    if (refusal) throw refusal
    await holdPlace(transaction, { id, organisationId, projectId, visitor, day, nowMs })
  })
}

async function usedBy(
  transaction: Db,
  { project, visitor, subjects, limits, nowMs }: WantedPlace,
): Promise<AskUsage> {
  // Questions more than a minute ahead were stored before the clock was set back.
  const earlier = { projectId: project.id, after: limits.perMinute - 1, atMost: nowMs + windowMs }
  const [blocking] = (await earlierAsk(transaction, earlier)).rows
  const ofMonth = {
    organisationId: project.organisationId,
    month: subjects.organisation.period,
    sinceMs: nowMs - windowMs,
  }
  const { rows } = await usage(transaction, {
    ...ofMonth,
    projectId: project.id,
    visitor,
    day: subjects.project.period,
    visitorSubject: subjects.visitor.subject,
    projectSubject: subjects.project.subject,
    organisationSubject: subjects.organisation.subject,
  })
  const used = rows[0] as Usage
  const quota = limits.perOrganisationMonth
  const month =
    used.organisation < commonHalf(quota)
      ? undefined
      : shareOf(project.workspaceId, quota, used.organisation, (await useOfMonth(transaction, ofMonth)).rows)
  return { ...used, month, blockingAtMs: blocking?.at }
}

const forgetOld = prepared<{ projectId: string; untilMs: number }>((value, db) =>
  db
    .deleteFrom("recent_ask")
    .where("project_id", "=", value("projectId"))
    .where("at", "<=", value("untilMs"))
    .compile(),
)

const earlierAsk = prepared<{ projectId: string; after: number; atMost: number }, { at: number }>(
  (value, db) =>
    db
      .selectFrom("recent_ask")
      .select("at")
      .where("project_id", "=", value("projectId"))
      .where("at", "<=", value("atMost"))
      .orderBy("at", "desc")
      .limit(1)
      .offset(value("after"))
      .compile(),
)

const useOfMonth = prepared<WorkspaceUseQuery, WorkspaceUse[number]>((value, db) =>
  workspaceUse(value).compile(db),
)

type Usage = Omit<AskUsage, "blockingAtMs" | "month">

interface UsageQuery {
  organisationId: string
  projectId: string
  visitor: string
  day: string
  month: string
  sinceMs: number
  visitorSubject: string
  projectSubject: string
  organisationSubject: string
}

const usage = prepared<UsageQuery, Usage>((value, db) => {
  const today = sql`project_id = ${value("projectId")} and day = ${value("day")}`
  const counted = (subject: string, period: string) =>
    sql`coalesce((select used from limit_count where subject = ${subject} and period = ${period}), 0)`
  const ofOrganisation = counted(value("organisationSubject"), value("month"))
  const ofProject = counted(value("projectSubject"), value("day"))
  const ofVisitor = counted(value("visitorSubject"), value("day"))
  return (
    db
      .selectFrom("recent_ask")
      .select([
        sql<number>`count(*) + ${ofOrganisation}`.as("organisation"),
        sql<number>`count(case when ${today} then 1 end) + ${ofProject}`.as("project"),
        sql<number>`count(case when ${today} and visitor = ${value("visitor")} then 1 end) + ${ofVisitor}`.as(
          "visitor",
        ),
      ])
      .where("organisation_id", "=", value("organisationId"))
      // A literal, because SQLite uses a partial index (of the uncounted rows) only if it knows the value.
      .where("counted", "=", sql.lit(0))
      .where("at", ">", value("sinceMs"))
      .compile()
  )
})

const holdPlace = prepared<{
  id: string
  organisationId: string
  projectId: string
  visitor: string
  day: string
  nowMs: number
}>((value, db) =>
  db
    .insertInto("recent_ask")
    .values({
      id: value("id"),
      organisation_id: value("organisationId"),
      project_id: value("projectId"),
      visitor: value("visitor"),
      day: value("day"),
      at: value("nowMs"),
      counted: 0,
    })
    .compile(),
)
