import { sql } from "kysely"
import { nextArrival } from "../../accounts/quotas/rate-limit.ts"
import { minuteMs, secondMs, untilNextDayMs } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { prepared } from "../../db/prepared.ts"
import type { FormTables } from "../../db/tables/forms.ts"
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

/**
 * Counts a visit inside the transaction that stores the response: both happen, or neither. A full form still
 * takes the first post of each visitor, so nobody can keep others out by filling it up. Posts from many
 * addresses are bounded by the free disk space alone.
 * `perMinute`: posts of the visitor received in any 60 seconds; undefined for a response already stopped.
 * Resolves to whether this post is among them. Throws Refusal `rate_limited` when a daily limit is reached,
 * and then counts nothing.
 */
export async function countVisit(
  transaction: Db,
  visit: Visit,
  { limits, timezone, perMinute }: { limits: DailyLimits; timezone: string; perMinute: number | undefined },
  nowMs: number,
): Promise<boolean> {
  const { rows } = await selectCounts(transaction, visit)
  const of = (visitor: string, formId: string) =>
    rows.find((row) => row.visitor === visitor && row.form_id === formId) ?? zeroCount
  const inAll = of(visit.visitor, anyone)
  const ofForm = of(anyone, visit.formId)
  // A visitor's first post is never too large: a single response may be as large as a message.
  const isVisitorFull =
    inAll.posts >= limits.perVisitor ||
    (inAll.posts > 0 && inAll.bytes + visit.bytes > limits.bytesPerVisitor)
  const isFormFull =
    of(visit.visitor, visit.formId).posts > 0 &&
    (ofForm.posts >= limits.perForm || ofForm.bytes + visit.bytes > limits.bytesPerForm)
  if (isVisitorFull || isFormFull)
    throw new Refusal("rate_limited", isVisitorFull ? detail("forms.visitorDay") : detail("forms.formDay"), {
      reason: `no more posts per ${isVisitorFull ? "visitor" : "form"} and day`,
      retryAfterSeconds: Math.ceil(untilNextDayMs(timezone, nowMs) / secondMs),
    })
  const until = perMinute && nextArrival(inAll.until, { count: perMinute, windowMs: minuteMs }, nowMs)
  await addVisit(transaction, { ...visit, until: until ?? inAll.until })
  return until !== undefined
}

/**
 * Rows per statement; small, so that other writes do not wait long. A flood leaves a row for each of its
 * addresses.
 */
const batchSize = 1000

/** Deletes the counts of past days, and with them the visitors' hashes. */
export async function purgeVisits(db: Db, today: string): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await db
      .transaction()
      .execute((transaction) => deletePastDays(transaction, { today }))
    if ((numAffectedRows ?? 0n) < batchSize) return
    // Lets waiting requests run before the next batch.
    await Bun.sleep(1)
  }
}

/** Stands for every visitor, or for every form, in the rows that count them together. */
const anyone = ""

type Count = Omit<FormTables["form_visit"], "day">

const zeroCount = { posts: 0, bytes: 0, until: 0 }

const selectCounts = prepared<Visit, Count>((value, db) =>
  sql<Count>`
    SELECT visitor, form_id, posts, bytes, until FROM form_visit
    WHERE day = ${value("day")} AND visitor = ${value("visitor")}
      AND form_id IN (${value("formId")}, ${sql.lit(anyone)})
    UNION ALL
    SELECT visitor, form_id, posts, bytes, until FROM form_visit
    WHERE day = ${value("day")} AND visitor = ${sql.lit(anyone)} AND form_id = ${value("formId")}`.compile(
    db,
  ),
)

/** Updates all three counts in one statement, because every post waits for it. */
const addVisit = prepared<Visit & { until: number }>((value, db) =>
  sql`
    INSERT INTO form_visit (day, visitor, form_id, posts, bytes, until) VALUES
      (${value("day")}, ${value("visitor")}, ${value("formId")}, 1, ${value("bytes")}, 0),
      (${value("day")}, ${value("visitor")}, ${sql.lit(anyone)}, 1, ${value("bytes")}, ${value("until")}),
      (${value("day")}, ${sql.lit(anyone)}, ${value("formId")}, 1, ${value("bytes")}, 0)
    ON CONFLICT (day, visitor, form_id) DO UPDATE
      SET posts = form_visit.posts + 1, bytes = form_visit.bytes + excluded.bytes, until = excluded.until`.compile(
    db,
  ),
)

const deletePastDays = prepared<{ today: string }>((value, db) =>
  sql`
    DELETE FROM form_visit WHERE (day, visitor, form_id) IN (
      SELECT day, visitor, form_id FROM form_visit WHERE day < ${value("today")} LIMIT ${sql.lit(batchSize)}
    )`.compile(db),
)
