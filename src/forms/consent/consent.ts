import { createHash, randomBytes } from "node:crypto"
import { subjectOf } from "../../accounts/quotas/rate-limit.ts"
import { dayIn, dayMs } from "../../base/clock.ts"
import { countUpTo } from "../../db/count.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import { mailboxOf } from "../../mail/mailbox.ts"
import type { Form } from "../definition/form.ts"
import type { FormParts } from "../parts.ts"
import type { FormResponse } from "../responses/form-response.ts"
import { addressKey } from "../submission/value.ts"

const linkValidMs = 7 * dayMs
/**
 * Of one mailbox and day: whoever types a stranger's address again and again must not flood that stranger's
 * mailbox.
 */
const mostPerMailbox = 5

/** Where a confirmation link stands. */
export type ConsentLink =
  | { state: "open"; formName: string; text: string }
  | { state: "used" }
  | { state: "unknown" }

/**
 * Queues the one mail of a double opt-in, in the transaction that makes the response received. The link is
 * known to the database by its hash alone; the mail that holds it is encrypted until it is sent. Where no
 * mail may go any more the consent stays pending: whoever filled in the form cannot tell, the log and the
 * console say it.
 */
export async function askConfirmation(
  { vault, mailer, mails, config, log }: FormParts,
  transaction: Db,
  form: Form,
  response: FormResponse,
  nowMs: number,
): Promise<void> {
  const { consent, email } = response
  if (consent?.status !== "pending" || !email) return
  const mailbox = subjectOf(vault, "mail", mailboxOf(addressKey(email)), config.timezone, nowMs)
  const counted = { subject: mailbox, period: dayIn(config.timezone, nowMs) }
  if (!(await countUpTo(transaction, counted, mostPerMailbox))) {
    log.warn("a consent is not asked to be confirmed: too many mails to its mailbox that day", {
      form: form.id,
      response: response.id,
    })
    return
  }
  const token = randomBytes(32).toString("base64url")
  const mail = {
    workspaceId: form.workspaceId,
    to: email,
    ...mails.confirmation({
      form: form.name,
      text: consent.text,
      link: `${config.publicUrl}/consent/${token}`,
    }),
    about: response.id,
  }
  if (!(await mailer.queue(transaction, mail, nowMs))) return
  await transaction
    .insertInto("consent_token")
    .values({ hash: hashOf(token), response_id: response.id, expires_at: nowMs + linkValidMs, used_at: null })
    .execute()
}

/**
 * Those of the responses whose consent waits for a mail that never went. Of old ones it is not known any
 * more.
 */
export async function unaskedOf(
  db: Db,
  responses: readonly FormResponse[],
  nowMs: number,
): Promise<Set<string>> {
  const waiting = responses
    .filter(({ state, consent, createdAt }) => {
      return state === "received" && consent?.status === "pending" && createdAt > nowMs - linkValidMs
    })
    .map(({ id }) => id)
  if (waiting.length === 0) return new Set()
  const asked = await db
    .selectFrom("consent_token")
    .select("response_id")
    .where("response_id", "in", waiting)
    .execute()
  return new Set(waiting).difference(new Set(asked.map((row) => row.response_id)))
}

/** What a link stands for; an expired one is unknown. */
export async function findConsentLink(db: Db, token: string, nowMs: number): Promise<ConsentLink> {
  const row = await db
    .selectFrom("consent_token")
    .innerJoin("form_response", "form_response.id", "consent_token.response_id")
    .innerJoin("form", "form.id", "form_response.form_id")
    .select(["expires_at", "used_at", "form.name", "form_response.consent_text"])
    .where("hash", "=", hashOf(token))
    .where("form.removed_at", "is", null)
    .executeTakeFirst()
  if (!row) return { state: "unknown" }
  if (row.used_at !== null) return { state: "used" }
  if (row.expires_at <= nowMs) return { state: "unknown" }
  return { state: "open", formName: row.name, text: row.consent_text ?? "" }
}

/**
 * Confirms the consent of the response, once; the message already sent stays as it was. False when the link
 * is not open.
 */
export function confirmConsent(db: Db, token: string, nowMs: number): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const used = await transaction
      .updateTable("consent_token")
      .set({ used_at: nowMs })
      .where("hash", "=", hashOf(token))
      .where("used_at", "is", null)
      .where("expires_at", ">", nowMs)
      .returning("response_id")
      .executeTakeFirst()
    if (!used) return false
    await transaction
      .updateTable("form_response")
      .set({ consent_status: "confirmed", consent_confirmed_at: nowMs })
      .where("id", "=", used.response_id)
      .execute()
    return true
  })
}

/** Of whatever stands in an address: what cannot be decoded comes as null. */
function hashOf(token: string | null): string {
  return createHash("sha256")
    .update(token ?? "")
    .digest("base64url")
}
