import { sql } from "kysely"
import { dayIn, minuteMs, monthIn, secondMs, untilNextDayMs, untilNextMonthMs } from "../../base/clock.ts"
import { type Detail, detail, Refusal } from "../../base/errors.ts"
import { randomText } from "../../base/ids.ts"
import { alone } from "../../db/alone.ts"
import type { Db } from "../../db/connection.ts"
import { type Counted, countOne } from "../../db/count.ts"
import { prepared } from "../../db/prepared.ts"
import type { Project } from "../project.ts"

/** How many questions are answered. A project's own limits override these. */
export interface AskLimits {
  perMinute: number
  perVisitorDay: number
  perProjectDay: number
  perOrganisationMonth: number
}

/** One question's place within every limit, which is later counted or given back. */
export interface Reservation {
  id: string
  /** Counter and period (day or month) of each limit. */
  subjects: { visitor: Counted; project: Counted; organisation: Counted }
}

interface Asker {
  project: Project
  /** Keyed hash that recognises a visitor within one day. */
  visitor: string
}

/** The sliding window, and the lifetime of a reservation: longer than any answer may take. */
const windowMs = minuteMs

/**
 * Reserves a place within every limit, in one transaction, so that concurrent questions of any number of
 * processes never exceed a limit. A reservation counts for good only with the stored answer (`countAsk`).
 * Throws Refusal `rate_limited` or `quota_exceeded`, with the time to wait.
 */
export async function reserveAsk(
  db: Db,
  { project, visitor }: Asker,
  limits: AskLimits,
  timezone: string,
  nowMs: number,
): Promise<Reservation> {
  const day = dayIn(timezone, nowMs)
  const id = randomText(20, "abcdefghijklmnopqrstuvwxyz0123456789")
  const subjects = {
    visitor: { subject: `visitor:${project.id}:${visitor}`, period: day },
    project: { subject: `project:${project.id}`, period: day },
    organisation: { subject: `organisation:${project.organisationId}`, period: monthIn(timezone, nowMs) },
  }
  await alone(db, `asks:${project.organisationId}`, async (transaction) => {
    await forgetOld(transaction, { projectId: project.id, untilMs: nowMs - windowMs })
    await refuseFullMinute(transaction, project, project.limits.perMinute ?? limits.perMinute, nowMs)
    const used = await usedBy(transaction, subjects, { project, visitor, day, nowMs })
    const untilDayMs = () => untilNextDayMs(timezone, nowMs)
    if (used.visitor >= (project.limits.perVisitorDay ?? limits.perVisitorDay))
      throw limited("visitor and day", detail("accounts.visitorDay", { waitMs: untilDayMs() }), untilDayMs())
    if (used.project >= (project.limits.perDay ?? limits.perProjectDay))
      throw limited("project and day", detail("accounts.projectDay", { waitMs: untilDayMs() }), untilDayMs())
    if (used.organisation >= limits.perOrganisationMonth) {
      const waitMs = untilNextMonthMs(timezone, nowMs)
      const told = detail("accounts.organisationMonth", { againAtMs: nowMs + waitMs, timezone })
      throw new Refusal("quota_exceeded", told, { retryAfterSeconds: seconds(waitMs) })
    }
    const { id: projectId, organisationId } = project
    await holdPlace(transaction, { id, organisationId, projectId, visitor, day, nowMs })
  })
  return { id, subjects }
}

/** Counts a reserved question, in the transaction that stores its answer: both happen, or neither. */
export async function countAsk(transaction: Db, { id, subjects }: Reservation): Promise<void> {
  await markCounted(transaction, { id })
  for (const count of Object.values(subjects)) await countOne(transaction, count)
}

/** Frees the reservation of a question that failed, which then counts nowhere. */
export async function giveBack(db: Db, { id }: Reservation): Promise<void> {
  await db.deleteFrom("recent_ask").where("id", "=", id).execute()
}

/** Deletes the counts of past days and months, and with them the visitors' hashes. */
export async function purgeCounts(db: Db, timezone: string, nowMs: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction
      .deleteFrom("limit_count")
      .where("period", "<", dayIn(timezone, nowMs))
      .where("period", "!=", monthIn(timezone, nowMs))
      .execute()
    await transaction
      .deleteFrom("recent_ask")
      .where("at", "<=", nowMs - windowMs)
      .execute()
  })
}

/**
 * Sliding-window log: the minute is full while the `limit`-th most recent question is still stored, since
 * `forgetOld` has deleted those older than a minute. Ignores questions more than a minute ahead, which were
 * stored before the clock was set back.
 */
async function refuseFullMinute(db: Db, project: Project, limit: number, nowMs: number): Promise<void> {
  const wanted = { projectId: project.id, after: limit - 1, atMost: nowMs + windowMs }
  const [blocking] = (await earlierAsk(db, wanted)).rows
  if (!blocking) return
  const waitMs = blocking.at + windowMs - nowMs
  throw limited("project and minute", detail("accounts.minute", { waitMs }), waitMs)
}

/**
 * Usage of each limit: counted questions plus current reservations. One statement, because a question that becomes
 * counted between two of them would be seen twice, or not at all.
 */
async function usedBy(
  db: Db,
  subjects: Reservation["subjects"],
  asked: { project: Project; visitor: string; day: string; nowMs: number },
): Promise<Usage> {
  const { project, visitor, day, nowMs } = asked
  const { rows } = await usage(db, {
    organisationId: project.organisationId,
    projectId: project.id,
    visitor,
    day,
    month: subjects.organisation.period,
    sinceMs: nowMs - windowMs,
    visitorSubject: subjects.visitor.subject,
    projectSubject: subjects.project.subject,
    organisationSubject: subjects.organisation.subject,
  })
  return rows[0] as Usage
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

interface Usage {
  organisation: number
  project: number
  visitor: number
}

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

const markCounted = prepared<{ id: string }>((value, db) =>
  db.updateTable("recent_ask").set({ counted: 1 }).where("id", "=", value("id")).compile(),
)

function limited(per: string, told: Detail, waitMs: number): Refusal {
  const reason = `no more questions per ${per}`
  return new Refusal("rate_limited", told, { reason, retryAfterSeconds: seconds(waitMs) })
}

function seconds(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / secondMs))
}
