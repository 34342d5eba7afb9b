import { sql } from "kysely"
import { nextArrival } from "../../accounts/quotas/rate-limit.ts"
import { minuteMs, secondMs, untilNextDayMs } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { deleteInTurns } from "../../db/delete-in-turns.ts"
import { prepared, preparedAhead } from "../../db/prepared.ts"
import type { Row } from "../../db/schema.ts"
import { engineOf } from "../../db/words.ts"
import type { FormResponse } from "../responses/form-response.ts"

/**
 * Most posts and bytes stored on one day in the owner's time zone: those of one visitor in all forms
 * together, and those in one form of all visitors together.
 */
export interface DailyLimits {
  perVisitor: number
  bytesPerVisitor: number
  perForm: number
  bytesPerForm: number
}

/** One post, about to be stored. */
export interface Visit {
  day: string
  /** Hash that recognises one visitor within one day, and reveals nothing else. */
  visitor: string
  formId: string
  bytes: number
}

/** Bytes of a response in its table. Its message holds about as much again, for 30 days. */
export function storedBytes({ values, consent, page, email }: FormResponse): number {
  return Buffer.byteLength(JSON.stringify(values) + page + (email ?? "") + (consent?.text ?? ""))
}

/** The counts of a day that some posts fall under, inside the transaction that stores the posts. */
export interface VisitCounts {
  /**
   * The arrival time of the visitor's minute after this post, for `add`; undefined when `perMinute` posts of the
   * visitor were received in the last 60 seconds, or the post is not to be received. A full form still takes the
   * first post of each visitor, so filling it up keeps no others out. Posts from many addresses are bounded by the
   * free disk space alone. Throws Refusal `rate_limited` when a daily limit is reached.
   */
  judge(visit: Visit, options: VisitLimits, nowMs: number): number | undefined
  /** Counts a post. `until` is what `judge` said; undefined leaves the visitor's minute as it is. */
  add(visit: Visit, until: number | undefined): void
  /** Writes down what was added. */
  write(transaction: Db): Promise<void>
}

interface VisitLimits {
  limits: DailyLimits
  timezone: string
  /** Posts of the visitor received in any 60 seconds; undefined for a response already stopped. */
  perMinute: number | undefined
}

export async function readVisitCounts(transaction: Db, visits: readonly Visit[]): Promise<VisitCounts> {
  const counts = new Map((await storedCounts(transaction, visits)).map((row) => [keyOf(row), row]))
  const added = new Map<string, Visit & { posts: number; until: number }>()
  const of = (day: string, visitor: string, formId: string) =>
    counts.get(keyOf({ day, visitor, form_id: formId })) ?? zeroCount
  const count = (key: Pick<Count, "day" | "visitor" | "form_id">, bytes: number, until: number) => {
    const before = counts.get(keyOf(key)) ?? zeroCount
    counts.set(keyOf(key), { ...key, posts: before.posts + 1, bytes: before.bytes + bytes, until })
  }

  return {
    judge({ day, visitor, formId, bytes }, { limits, timezone, perMinute }, nowMs) {
      const inAll = of(day, visitor, anyone)
      const ofForm = of(day, anyone, formId)
      // A visitor's first post is never too large: a single response may be as large as a message.
      const isVisitorFull =
        inAll.posts >= limits.perVisitor || (inAll.posts > 0 && inAll.bytes + bytes > limits.bytesPerVisitor)
      const isFormFull =
        of(day, visitor, formId).posts > 0 &&
        (ofForm.posts >= limits.perForm || ofForm.bytes + bytes > limits.bytesPerForm)
      if (isVisitorFull || isFormFull)
        throw new Refusal(
          "rate_limited",
          isVisitorFull ? detail("forms.visitorDay") : detail("forms.formDay"),
          {
            reason: `no more posts per ${isVisitorFull ? "visitor" : "form"} and day`,
            retryAfterSeconds: Math.ceil(untilNextDayMs(timezone, nowMs) / secondMs),
          },
        )
      return perMinute && nextArrival(inAll.until, { count: perMinute, windowMs: minuteMs }, nowMs)
    },
    add(visit, until) {
      const { day, visitor, formId, bytes } = visit
      const minute = until ?? of(day, visitor, anyone).until
      count({ day, visitor, form_id: formId }, bytes, 0)
      count({ day, visitor, form_id: anyone }, bytes, minute)
      count({ day, visitor: anyone, form_id: formId }, bytes, 0)
      const key = keyOf({ day, visitor, form_id: formId })
      const before = added.get(key) ?? { posts: 0, bytes: 0 }
      added.set(key, { ...visit, posts: before.posts + 1, bytes: before.bytes + bytes, until: minute })
    },
    async write(transaction) {
      for (const visit of added.values()) await addVisits(transaction, visit)
    },
  }
}

/** Deletes the counts of past days, and with them the visitors' hashes. A flood leaves a row for each address. */
export async function purgeVisits(db: Db, today: string): Promise<void> {
  await deleteInTurns(db, "form_visit", (visit) => visit("day", "<", today))
}

/** Stands for every visitor, or for every form, in the rows that count them together. */
const anyone = ""

type Count = Row<"form_visit">

const zeroCount = { posts: 0, bytes: 0, until: 0 }

function keyOf({ day, visitor, form_id }: Pick<Count, "day" | "visitor" | "form_id">): string {
  return [day, visitor, form_id].join(" ")
}

async function storedCounts(transaction: Db, visits: readonly Visit[]): Promise<Count[]> {
  if (engineOf(transaction) === "sqlite") {
    const all = await Promise.all(visits.map((visit) => countsOf(transaction, visit)))
    return all.flatMap(({ rows }) => rows)
  }
  const keys = visits.flatMap(({ day, visitor, formId }) => [
    { day, visitor, form_id: formId },
    { day, visitor, form_id: anyone },
    { day, visitor: anyone, form_id: formId },
  ])
  return (await countsTogether(transaction, { keys: JSON.stringify(keys) })).rows
}

const countsOf = prepared<Visit, Count>((value, db) =>
  sql<Count>`
    SELECT day, visitor, form_id, posts, bytes, until FROM form_visit
    WHERE day = ${value("day")} AND visitor = ${value("visitor")}
      AND form_id IN (${value("formId")}, ${sql.lit(anyone)})
    UNION ALL
    SELECT day, visitor, form_id, posts, bytes, until FROM form_visit
    WHERE day = ${value("day")} AND visitor = ${sql.lit(anyone)} AND form_id = ${value("formId")}`.compile(
    db,
  ),
)

const countsTogether = prepared<{ keys: string }, Count>((value, db) =>
  sql<Count>`
    SELECT form_visit.* FROM (
      SELECT DISTINCT day, visitor, form_id
      FROM json_to_recordset((${value("keys")}::text)::json) AS wanted (day text, visitor text, form_id text)
    ) wanted JOIN form_visit USING (day, visitor, form_id)`.compile(db),
)

/** Updates all three counts in one statement, because every post waits for it. */
const addVisits = preparedAhead<Visit & { posts: number; until: number }>((value, db) =>
  sql`
    INSERT INTO form_visit (day, visitor, form_id, posts, bytes, until) VALUES
      (${value("day")}, ${value("visitor")}, ${value("formId")}, ${value("posts")}, ${value("bytes")}, 0),
      (${value("day")}, ${value("visitor")}, ${sql.lit(anyone)}, ${value("posts")}, ${value("bytes")},
        ${value("until")}),
      (${value("day")}, ${sql.lit(anyone)}, ${value("formId")}, ${value("posts")}, ${value("bytes")}, 0)
    ON CONFLICT (day, visitor, form_id) DO UPDATE
      SET posts = form_visit.posts + excluded.posts, bytes = form_visit.bytes + excluded.bytes,
        until = excluded.until`.compile(db),
)
