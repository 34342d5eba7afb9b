import { createHash } from "node:crypto"
import { subjectOf, takePlace } from "../../accounts/quotas/rate-limit.ts"
import { dayIn, dayMs, secondMs } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import { newId } from "../../base/ids.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import { shownWording } from "../consent/consent-text.ts"
import type { Form } from "../definition/form.ts"
import type { FormParts } from "../parts.ts"
import { dataOf, type FormResponse, insertResponse, type StoppedBy } from "../responses/form-response.ts"
import { announce, wakeSenders } from "./announce.ts"
import { countVisit, storedBytes } from "./daily-limit.ts"
import type { Post } from "./post.ts"
import type { FormReading } from "./reading.ts"
import { isHasty } from "./start.ts"

export interface Submission {
  post: Post
  /** Without problems. */
  reading: FormReading
  page: string
  /** Address of the visitor. */
  visitor: string
}

/**
 * What is kept apart of one visitor: beyond it nothing more is kept, and that is said. A flood would fill the
 * disk.
 */
const keptApart = { count: 100, windowMs: dayMs }

/**
 * Keeps a form response, with its message and deliveries in the same transaction; resolves to its id once
 * that is durable. The same `guichet_key` with the same contents is the same response. What the spam guard
 * stops is kept too, apart and unannounced: whoever sent it cannot tell. Throws Refusal, before anything is
 * stored: `invalid_request` when the message would be too large, `rate_limited` when too much of the visitor
 * is kept apart already, or was stored that day, `unavailable` when the disk is nearly full.
 */
export async function submit(parts: FormParts, form: Form, submission: Submission): Promise<string> {
  const { db, clock, messages, vault, config } = parts
  const nowMs = clock.now()
  const response = await responseOf(parts, form, submission, nowMs)
  if (!messages.fits(dataOf(form, response), nowMs))
    throw new Refusal("invalid_request", detail("forms.tooLarge"))
  if (!(await parts.hasRoom()))
    throw new Refusal("unavailable", detail("forms.diskNearlyFull"), { retryAfterSeconds: 60 })
  const keyHash = hashOf(submission)
  const visitor = subjectOf(vault, "form", submission.visitor, config.timezone, nowMs)
  const day = dayIn(config.timezone, nowMs)
  const visit = { day, visitor, formId: form.id, bytes: storedBytes(response) }

  const kept = await db.transaction().execute(async (transaction) => {
    const earlier = keyHash && (await findByKey(transaction, form.id, keyHash))
    if (earlier) return earlier
    const perMinute = response.stoppedBy === null ? config.formPerVisitorMinute : undefined
    const counting = { limits: config.formDay, timezone: config.timezone, perMinute }
    const isInTime = await countVisit(transaction, visit, counting, nowMs)
    const judged = response.stoppedBy || isInTime ? response : stopped(response, "rate")
    if (judged.stoppedBy) await refuseFlood(parts, transaction, submission.visitor, nowMs)
    await insertResponse(transaction, judged, keyHash, submission.reading.addresses)
    if (judged.state === "received") await announce(parts, transaction, form, judged, nowMs)
    return judged
  })
  if (kept.id === response.id && kept.state === "received") wakeSenders(parts)
  return kept.id
}

/**
 * With the contents: whoever goes back to a page already sent, and corrects it there, sends the key of that
 * page again.
 */
function hashOf({ post, reading }: Submission): string | null {
  const key = post.texts.get("guichet_key")
  if (!key) return null
  const contents = JSON.stringify([key, reading.values, reading.consent])
  return createHash("sha256").update(contents).digest("base64url")
}

async function responseOf(
  { db, vault }: FormParts,
  form: Form,
  { post, reading, page }: Submission,
  nowMs: number,
): Promise<FormResponse> {
  const response: FormResponse = {
    id: newId("resp", nowMs),
    formId: form.id,
    state: "received",
    stoppedBy: null,
    values: reading.values,
    email: reading.email,
    consent:
      form.consent && reading.consent !== null
        ? {
            status: form.consent.confirmation ? "pending" : "confirmed",
            text: await shownWording(db, form.id, form.consent, reading.consent),
            at: nowMs,
            confirmedAt: null,
          }
        : null,
    page,
    createdAt: nowMs,
  }
  if (post.texts.get("guichet_trap")) return stopped(response, "trap")
  const started = post.texts.get("guichet_started")
  return started && isHasty(vault, form.id, started, nowMs) ? stopped(response, "speed") : response
}

/** `held` is doubtful: a person may be quick. The others are what programs do. */
function stopped(response: FormResponse, by: StoppedBy): FormResponse {
  return { ...response, state: by === "speed" ? "held" : "unwanted", stoppedBy: by }
}

async function refuseFlood(
  { vault, config }: FormParts,
  transaction: Db,
  visitor: string,
  nowMs: number,
): Promise<void> {
  const subject = subjectOf(vault, "apart", visitor, config.timezone, nowMs)
  if (await takePlace(transaction, subject, keptApart, nowMs)) return
  const retryAfterSeconds = Math.ceil(keptApart.windowMs / keptApart.count / secondMs)
  throw new Refusal("rate_limited", detail("forms.tooManyPosts"), { retryAfterSeconds })
}

function findByKey(transaction: Db, formId: string, hash: string) {
  return transaction
    .selectFrom("form_response")
    .select(["id", "state"])
    .where("form_id", "=", formId)
    .where("idempotency_hash", "=", hash)
    .executeTakeFirst()
}
