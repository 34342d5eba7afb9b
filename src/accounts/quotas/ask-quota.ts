import { dayIn, monthIn } from "../../base/clock.ts"
import { randomText } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { countAll } from "../../db/count.ts"
import { deleteInTurns } from "../../db/delete-in-turns.ts"
import { preparedAhead } from "../../db/prepared.ts"
import { type Engine, eachOf, engineOf } from "../../db/words.ts"
import type { Project } from "../project.ts"
import { type AskLimits, type Reservation, type WantedPlace, windowMs } from "./ask-limits.ts"
import { reserve as reserveTogether } from "./postgres/reserve.ts"
import { reserve } from "./sqlite/reserve.ts"

interface Asker {
  project: Project
  /** Keyed hash that recognises a visitor within one day. */
  visitor: string
}

const engines: Record<Engine, (db: Db, wanted: WantedPlace) => Promise<void>> = {
  sqlite: reserve,
  postgres: reserveTogether,
}

/**
 * Reserves a place within every limit, so that concurrent questions of any number of processes never exceed a limit.
 * A reservation counts for good only with the stored answer (`countAsks`). Throws Refusal `rate_limited` or
 * `quota_exceeded`, with the time to wait.
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
  const month = monthIn(timezone, nowMs)
  const subjects = {
    visitor: { subject: `visitor:${project.id}:${visitor}`, period: day },
    project: { subject: `project:${project.id}`, period: day },
    workspace: { subject: `workspace:${project.workspaceId}`, period: month },
    organisation: { subject: `organisation:${project.organisationId}`, period: month },
  }
  const ownLimits = {
    perMinute: project.limits.perMinute ?? limits.perMinute,
    perVisitorDay: project.limits.perVisitorDay ?? limits.perVisitorDay,
    perProjectDay: project.limits.perDay ?? limits.perProjectDay,
    perOrganisationMonth: limits.perOrganisationMonth,
  }
  await engines[engineOf(db)](db, { id, subjects, project, visitor, limits: ownLimits, timezone, nowMs })
  return { id, subjects }
}

/** Counts reserved questions, in the transaction that stores their answers: both happen, or neither. */
export async function countAsks(transaction: Db, reservations: readonly Reservation[]): Promise<void> {
  await markCounted(transaction, { ids: JSON.stringify(reservations.map(({ id }) => id)) })
  await countAll(
    transaction,
    reservations.flatMap(({ subjects }) => Object.values(subjects)),
  )
}

/** Frees the reservation of a question that failed, which then counts nowhere. */
export async function giveBack(db: Db, { id }: Reservation): Promise<void> {
  await db.deleteFrom("recent_ask").where("id", "=", id).execute()
}

/** Deletes the counts of past days and months, and with them the visitors' hashes. */
export async function purgeCounts(db: Db, timezone: string, nowMs: number): Promise<void> {
  await deleteInTurns(db, "limit_count", ({ and, eb }) =>
    and([eb("period", "<", dayIn(timezone, nowMs)), eb("period", "!=", monthIn(timezone, nowMs))]),
  )
  await deleteInTurns(db, "recent_ask", (asked) => asked("at", "<=", nowMs - windowMs))
}

const markCounted = preparedAhead<{ ids: string }>((value, db) =>
  db
    .updateTable("recent_ask")
    .set({ counted: 1 })
    .where("id", "in", eachOf(db, value("ids")))
    .compile(),
)
