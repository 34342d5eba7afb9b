import { sql } from "kysely"
import { untilAfter } from "../../accounts/quotas/rate-limit.ts"
import { minuteMs, secondMs, untilNextDayMs } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import { preparedOnce } from "../../db/prepared.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import type { FormTables } from "../../db/tables/forms.ts"
import type { FormResponse } from "../responses/form-response.ts"

/**
 * How much is stored on one day, of the owner's time zone: of one visitor in all forms, and in one form of
 * all visitors.
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
  /** Recognises one visitor within one day, and says nothing else. */
  visitor: string
  formId: string
  bytes: number
}

/**
 * Bytes that a response takes in its table. The message that announces it holds about as much again, for 30
 * days.
 */
export function storedBytes({ values, consent, page, email }: FormResponse): number {
  return Buffer.byteLength(JSON.stringify(values) + page + (email ?? "") + (consent?.text ?? ""))
}

/**
 * Counts a visit inside the transaction that stores the response: both happen, or neither. A full form still takes the first post of each
 * visitor: nobody can keep others from it by filling it up. What many addresses then send is bounded by the free disk alone.
 * `perMinute`: how many of the visitor are received in any 60 seconds; undefined for what is kept apart anyway. Resolves to whether this one is
 * among them. Throws Refusal `rate_limited`, and then nothing is counted.
 */
export async function countVisit(
  transaction: Db,
  visit: Visit,
  { limits, timezone, perMinute }: { limits: DailyLimits; timezone: string; perMinute: number | undefined },
  nowMs: number,
): Promise<boolean> {
  const { rows } = await counted(transaction, visit)
  const of = (visitor: string, formId: string) =>
    rows.find((row) => row.visitor === visitor && row.form_id === formId) ?? nothing
  const inAll = of(visit.visitor, everything)
  const ofForm = of(everything, visit.formId)
  // One alone is never too many, nor too large: it is as large as a message may be.
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
  const until = perMinute && untilAfter(inAll.until, { count: perMinute, windowMs: minuteMs }, nowMs)
  await count(transaction, { ...visit, until: until ?? inAll.until })
  return until !== undefined
}

/** Small, so that nobody else's write waits long: a flood leaves a row for each of its addresses. */
const batchSize = 1000

/** Forgets the counts of past days, and with them the visitors' hashes. */
export async function purgeVisits(db: Db, today: string): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await purge(db, { today })
    if ((numAffectedRows ?? 0n) < batchSize) return
    // Whoever waits for an answer goes first.
    await Bun.sleep(1)
  }
}

/** Stands for every visitor, or for every form. */
const everything = ""

type Count = Omit<FormTables["form_visit"], "day">

const nothing = { posts: 0, bytes: 0, until: 0 }

const counted = preparedOnce<Visit, Count>((db, value) =>
  sql<Count>`
    SELECT visitor, form_id, posts, bytes, until FROM form_visit
    WHERE day = ${value("day")} AND visitor = ${value("visitor")}
      AND form_id IN (${value("formId")}, ${sql.lit(everything)})
    UNION ALL
    SELECT visitor, form_id, posts, bytes, until FROM form_visit
    WHERE day = ${value("day")} AND visitor = ${sql.lit(everything)} AND form_id = ${value("formId")}`.compile(
    db,
  ),
)

/** One statement for all three: a post has few microseconds for it. */
const count = preparedOnce<Visit & { until: number }>((db, value) =>
  sql`
    INSERT INTO form_visit (day, visitor, form_id, posts, bytes, until) VALUES
      (${value("day")}, ${value("visitor")}, ${value("formId")}, 1, ${value("bytes")}, 0),
      (${value("day")}, ${value("visitor")}, ${sql.lit(everything)}, 1, ${value("bytes")}, ${value("until")}),
      (${value("day")}, ${sql.lit(everything)}, ${value("formId")}, 1, ${value("bytes")}, 0)
    ON CONFLICT DO UPDATE SET posts = posts + 1, bytes = bytes + excluded.bytes, until = excluded.until`.compile(
    db,
  ),
)

const purge = preparedOnce<{ today: string }>((db, value) =>
  sql`
    DELETE FROM form_visit WHERE (day, visitor, form_id) IN (
      SELECT day, visitor, form_id FROM form_visit WHERE day < ${value("today")} LIMIT ${sql.lit(batchSize)}
    )`.compile(db),
)
