import { sql } from "kysely"
import { secondMs, untilNextDayMs } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import { preparedOnce } from "../../db/prepared.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import type { FormTables } from "../../db/tables/forms.ts"
import type { FormResponse } from "../responses/form-response.ts"

/** How much is stored on one day, of the owner's time zone: of one visitor in all forms, and in one form of all visitors. */
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

/** Bytes that a response takes in its table. The message that announces it holds about as much again, for 30 days. */
export function storedBytes({ values, consent, page, email }: FormResponse): number {
  return Buffer.byteLength(JSON.stringify(values) + page + (email ?? "") + (consent?.text ?? ""))
}

/**
 * Counts a visit inside the transaction that stores the response: both happen, or neither. A full form still takes the first post of each
 * visitor: nobody can keep others from it by filling it up. What many addresses then send is bounded by the free disk alone.
 * Throws Refusal `rate_limited`: nothing is counted then, since it undoes the transaction.
 */
export async function countVisit(
  transaction: Db,
  visit: Visit,
  limits: DailyLimits,
  timezone: string,
  nowMs: number,
): Promise<void> {
  const { rows } = await count(transaction, visit)
  const of = (visitor: string, formId: string) =>
    rows.find((row) => row.visitor === visitor && row.form_id === formId) as Count
  const inAll = of(visit.visitor, everything)
  const here = of(visit.visitor, visit.formId)
  const ofForm = of(everything, visit.formId)
  // One alone is never too many, nor too large: it is as large as a message may be.
  const isVisitorFull =
    inAll.posts > limits.perVisitor || (inAll.posts > 1 && inAll.bytes > limits.bytesPerVisitor)
  const isFormFull = here.posts > 1 && (ofForm.posts > limits.perForm || ofForm.bytes > limits.bytesPerForm)
  if (!isVisitorFull && !isFormFull) return
  throw new Refusal("rate_limited", isVisitorFull ? detail("forms.visitorDay") : detail("forms.formDay"), {
    reason: `no more posts per ${isVisitorFull ? "visitor" : "form"} and day`,
    retryAfterSeconds: Math.ceil(untilNextDayMs(timezone, nowMs) / secondMs),
  })
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

type Count = Pick<FormTables["form_visit"], "visitor" | "form_id" | "posts" | "bytes">

/** One statement: a post has few microseconds for it. */
const count = preparedOnce<Visit, Count>((db, value) =>
  sql<Count>`
    INSERT INTO form_visit (day, visitor, form_id, posts, bytes) VALUES
      (${value("day")}, ${value("visitor")}, ${value("formId")}, 1, ${value("bytes")}),
      (${value("day")}, ${value("visitor")}, ${sql.lit(everything)}, 1, ${value("bytes")}),
      (${value("day")}, ${sql.lit(everything)}, ${value("formId")}, 1, ${value("bytes")})
    ON CONFLICT DO UPDATE SET posts = posts + 1, bytes = bytes + excluded.bytes
    RETURNING visitor, form_id, posts, bytes`.compile(db),
)

const purge = preparedOnce<{ today: string }>((db, value) =>
  sql`
    DELETE FROM form_visit WHERE (day, visitor, form_id) IN (
      SELECT day, visitor, form_id FROM form_visit WHERE day < ${value("today")} LIMIT ${sql.lit(batchSize)}
    )`.compile(db),
)
