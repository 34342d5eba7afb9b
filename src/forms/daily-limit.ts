import { sql } from "kysely"
import { secondMs, untilNextDayMs } from "../clock.ts"
import type { Db } from "../db/connection.ts"
import { preparedOnce } from "../db/prepared.ts"
import { Refusal } from "../errors.ts"
import type { FormResponse } from "./form-response.ts"
import { sentences } from "./sentences.ts"

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
 * A full form still takes the first post of each visitor: nobody can keep others from it by filling it up. What many addresses then
 * send is bounded by the free disk alone. Throws Refusal `rate_limited`.
 */
export async function refuseBeyondDay(
  transaction: Db,
  visit: Visit,
  limits: DailyLimits,
  timezone: string,
  nowMs: number,
): Promise<void> {
  const { rows } = await stored(transaction, visit)
  const { posts, bytes, here, formPosts, formBytes } = rows[0] as Stored
  const visitorIsFull =
    posts >= limits.perVisitor || (posts > 0 && bytes + visit.bytes > limits.bytesPerVisitor)
  const formIsFull = formPosts >= limits.perForm || formBytes + visit.bytes > limits.bytesPerForm
  if (!visitorIsFull && !(formIsFull && here > 0)) return
  throw new Refusal("rate_limited", visitorIsFull ? sentences.visitorDay : sentences.formDay, {
    reason: `no more posts per ${visitorIsFull ? "visitor" : "form"} and day`,
    retryAfterSeconds: Math.ceil(untilNextDayMs(timezone, nowMs) / secondMs),
  })
}

/** Inside the transaction that stores the response: both happen, or neither. */
export async function countVisit(transaction: Db, visit: Visit): Promise<void> {
  await countForVisitor(transaction, visit)
  await countForForm(transaction, visit)
}

/** Small, so that nobody else's write waits long: a flood leaves a row for each of its addresses. */
const batchSize = 1000

/** Forgets the counts of past days, and with them the visitors' hashes. */
export async function purgeVisits(db: Db, today: string): Promise<void> {
  for (const purge of [purgeOfVisitors, purgeOfForms])
    for (;;) {
      const { numAffectedRows } = await purge(db, { today })
      if ((numAffectedRows ?? 0n) < batchSize) break
      // Whoever waits for an answer goes first.
      await Bun.sleep(1)
    }
}

interface Stored {
  /** Of the visitor, in whichever form. */
  posts: number
  bytes: number
  /** Of the visitor in this form. */
  here: number
  formPosts: number
  formBytes: number
}

const stored = preparedOnce<Visit, Stored>((db, value) =>
  sql<Stored>`
    SELECT of_visitor.*, coalesce(form_day.posts, 0) AS formPosts, coalesce(form_day.bytes, 0) AS formBytes
    FROM (
      SELECT coalesce(sum(posts), 0) AS posts, coalesce(sum(bytes), 0) AS bytes,
        coalesce(sum(posts) FILTER (WHERE form_id = ${value("formId")}), 0) AS here
      FROM form_visit WHERE day = ${value("day")} AND visitor = ${value("visitor")}
    ) AS of_visitor
    LEFT JOIN form_day ON form_day.form_id = ${value("formId")} AND form_day.day = ${value("day")}`.compile(
    db,
  ),
)

const countForVisitor = preparedOnce<Visit>((db, value) =>
  sql`
    INSERT INTO form_visit (day, visitor, form_id, posts, bytes)
    VALUES (${value("day")}, ${value("visitor")}, ${value("formId")}, 1, ${value("bytes")})
    ON CONFLICT DO UPDATE SET posts = posts + 1, bytes = bytes + excluded.bytes`.compile(db),
)

const countForForm = preparedOnce<Visit>((db, value) =>
  sql`
    INSERT INTO form_day (form_id, day, posts, bytes)
    VALUES (${value("formId")}, ${value("day")}, 1, ${value("bytes")})
    ON CONFLICT DO UPDATE SET posts = posts + 1, bytes = bytes + excluded.bytes`.compile(db),
)

const purgeOfVisitors = preparedOnce<{ today: string }>((db, value) =>
  sql`
    DELETE FROM form_visit WHERE (day, visitor, form_id) IN (
      SELECT day, visitor, form_id FROM form_visit WHERE day < ${value("today")} LIMIT ${sql.lit(batchSize)}
    )`.compile(db),
)

const purgeOfForms = preparedOnce<{ today: string }>((db, value) =>
  sql`
    DELETE FROM form_day WHERE (form_id, day) IN (
      SELECT form_id, day FROM form_day WHERE day < ${value("today")} LIMIT ${sql.lit(batchSize)}
    )`.compile(db),
)
