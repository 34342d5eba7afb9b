import { consume, subjectOf } from "../../accounts/quotas/rate-limit.ts"
import { dayIn, dayMs, secondMs } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import { sha256 } from "../../base/hash.ts"
import { newId } from "../../base/ids.ts"
import { alone } from "../../db/alone.ts"
import type { Db } from "../../db/connection.ts"
import { shownConsentText } from "../consent/consent-text.ts"
import type { Form } from "../definition/form.ts"
import type { FormDeps } from "../deps.ts"
import { dataOf, type FormResponse, insertResponse, type StoppedBy } from "../responses/form-response.ts"
import { countVisit, storedBytes } from "./daily-limit.ts"
import type { ParsedSubmission } from "./parse-submission.ts"
import type { Post } from "./post.ts"
import { publish, wakeSenders } from "./publish.ts"
import { isTooFast } from "./timing-token.ts"

export interface Submission {
  post: Post
  /** Must have no problems. */
  parsed: ParsedSubmission
  page: string
  /** IP address of the visitor. */
  visitor: string
  /** The answer that the visitor had read before writing. */
  answerId: string | null
}

/**
 * Stopped responses that are stored for one visitor. Further posts are refused, and the visitor is told: a
 * flood would fill the disk.
 */
const stoppedLimit = { count: 100, windowMs: dayMs }

/**
 * Stores a form response with its message and deliveries in one transaction; resolves to its id once that is
 * durable. The same `guichet_key` with the same contents is the same response. A response that the spam guard
 * stops is stored too, but not published, and its sender cannot tell. Throws Refusal before anything is
 * stored: `invalid_request` when the message would be too large, `rate_limited` when too many stopped
 * responses of the visitor are stored already or a daily limit is reached, `unavailable` when the disk is
 * nearly full.
 */
export async function submit(deps: FormDeps, form: Form, submission: Submission): Promise<string> {
  const { db, clock, messageQueue, vault, config } = deps
  const nowMs = clock.now()
  const response = await responseOf(deps, form, submission, nowMs)
  if (!messageQueue.fits(dataOf(form, response), nowMs))
    throw new Refusal("invalid_request", detail("forms.tooLarge"))
  if (!(await deps.hasDiskSpace()))
    throw new Refusal("unavailable", detail("forms.diskNearlyFull"), { retryAfterSeconds: 60 })
  const keyHash = idempotencyHash(submission)
  const visitor = subjectOf(vault, "form", submission.visitor, config.timezone, nowMs)
  const day = dayIn(config.timezone, nowMs)
  const visit = { day, visitor, formId: form.id, bytes: storedBytes(response) }

  const kept = await alone(db, [`form:${form.id}`, visitor], async (transaction) => {
    const earlier = keyHash && (await findByKey(transaction, form.id, keyHash))
    if (earlier) return earlier
    const perMinute = response.stoppedBy === null ? config.formPerVisitorMinute : undefined
    const options = { limits: config.formDay, timezone: config.timezone, perMinute }
    const isWithinRate = await countVisit(transaction, visit, options, nowMs)
    const judged = response.stoppedBy || isWithinRate ? response : stopped(response, "rate")
    if (judged.stoppedBy) await refuseFlood(deps, transaction, submission.visitor, nowMs)
    await insertResponse(transaction, form.projectId, judged, keyHash, submission.parsed.addresses)
    if (judged.state === "received") await publish(deps, transaction, form, judged, nowMs)
    return judged
  })
  if (kept.id === response.id && kept.state === "received") wakeSenders(deps)
  return kept.id
}

/**
 * Covers the contents too: a visitor who goes back to a sent page and corrects it sends that page's key
 * again.
 */
function idempotencyHash({ post, parsed }: Submission): string | null {
  const key = post.texts.get("guichet_key")
  if (!key) return null
  const contents = JSON.stringify([key, parsed.values, parsed.consent])
  return sha256(contents)
}

async function responseOf(
  { db, vault }: FormDeps,
  form: Form,
  { post, parsed, page, answerId }: Submission,
  nowMs: number,
): Promise<FormResponse> {
  const response: FormResponse = {
    id: newId("resp", nowMs),
    formId: form.id,
    state: "received",
    stoppedBy: null,
    values: parsed.values,
    email: parsed.email,
    consent:
      form.consent && parsed.consent !== null
        ? {
            status: form.consent.confirmation ? "pending" : "confirmed",
            text: await shownConsentText(db, form.id, form.consent, parsed.consent),
            at: nowMs,
            confirmedAt: null,
          }
        : null,
    page,
    answerId,
    createdAt: nowMs,
    readAt: null,
  }
  if (post.texts.get("guichet_trap")) return stopped(response, "trap")
  const token = post.texts.get("guichet_started")
  return token && isTooFast(vault, form.id, token, nowMs) ? stopped(response, "speed") : response
}

/** `held` is doubtful: a person may be quick. The other rules catch what only programs do. */
function stopped(response: FormResponse, by: StoppedBy): FormResponse {
  return { ...response, state: by === "speed" ? "held" : "unwanted", stoppedBy: by }
}

async function refuseFlood(
  { vault, config }: FormDeps,
  transaction: Db,
  visitor: string,
  nowMs: number,
): Promise<void> {
  const subject = subjectOf(vault, "apart", visitor, config.timezone, nowMs)
  if (await consume(transaction, subject, stoppedLimit, nowMs)) return
  const retryAfterSeconds = Math.ceil(stoppedLimit.windowMs / stoppedLimit.count / secondMs)
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
