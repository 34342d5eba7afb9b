import { idsOf, randomText } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { deleteInSteps } from "../../db/delete-in-steps.ts"
import { preparedAhead } from "../../db/prepared.ts"
import { eachOf } from "../../db/words.ts"
import { counterOf, type Moment } from "../../limits/limit.ts"
import { addUses } from "../../limits/uses.ts"
import type { Project } from "../project.ts"
import {
  type AskLimits,
  organisationCounter,
  projectCounter,
  type Reservation,
  windowMs,
} from "./ask-limits.ts"
import { reserve } from "./reserve.ts"

interface Asker {
  project: Project
  /** Keyed hash that recognises a visitor within one day. */
  visitor: string
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
  at: Moment,
): Promise<Reservation> {
  const id = randomText(20, "abcdefghijklmnopqrstuvwxyz0123456789")
  const counters = {
    visitor: counterOf({ key: "visitor", per: "day" }, `${project.id}:${visitor}`, at),
    project: projectCounter(project.id, at),
    workspace: counterOf({ key: "workspace", per: "month" }, project.workspaceId, at),
    organisation: organisationCounter(project.organisationId, at),
  }
  const ownLimits = {
    perMinute: project.limits.perMinute ?? limits.perMinute,
    perVisitorDay: project.limits.perVisitorDay ?? limits.perVisitorDay,
    perProjectDay: project.limits.perDay ?? limits.perProjectDay,
    perOrganisationMonth: limits.perOrganisationMonth,
  }
  await reserve(db, { id, counters, project, visitor, limits: ownLimits, ...at })
  return { id, counters }
}

/** Counts reserved questions, in the transaction that stores their answers: both happen, or neither. */
export async function countAsks(transaction: Db, reservations: readonly Reservation[]): Promise<void> {
  await markCounted(transaction, { ids: JSON.stringify(idsOf(reservations)) })
  await addUses(
    transaction,
    reservations.flatMap(({ counters }) => Object.values(counters)),
  )
}

/** Frees the reservation of a question that failed, which then counts nowhere. */
export async function giveBack(db: Db, { id }: Reservation): Promise<void> {
  await db.deleteFrom("recent_ask").where("id", "=", id).execute()
}

/** Deletes the questions that keep no minute full any more, and the reservations that a crash left. */
export async function purgeAsks(db: Db, nowMs: number): Promise<void> {
  await deleteInSteps(db, "recent_ask", (asked) => asked("at", "<=", nowMs - windowMs))
}

const markCounted = preparedAhead<{ ids: string }>((value, db) =>
  db
    .updateTable("recent_ask")
    .set({ counted: 1 })
    .where("id", "in", eachOf(db, value("ids")))
    .compile(),
)
