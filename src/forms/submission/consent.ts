import { dayMs } from "../../base/clock.ts"
import { newSecretText, sha256 } from "../../base/hash.ts"
import type { Db } from "../../db/connection.ts"
import { changeRows, insertRows } from "../../db/store.ts"
import { type Form, findFormById } from "../definition/form.ts"
import type { FormDeps } from "../deps.ts"
import type { FormResponse } from "../responses/form-response.ts"
import { mayMailVisitor, replySender } from "./visitor-mail.ts"

const linkValidMs = 7 * dayMs

export type ConsentLink =
  | { state: "open"; form: Form; text: string }
  | { state: "used"; form: Form }
  | { state: "unknown" }

/**
 * Queues the mail of a double opt-in, in the transaction that makes the response received. The database knows
 * the link only by its hash; the mail that holds the link is encrypted until it is sent. When no mail may be
 * sent any more the consent stays pending: the visitor cannot tell, but the log and the console show it.
 * Resolves to whether a mail is queued.
 */
export async function requestConfirmation(
  deps: FormDeps,
  transaction: Db,
  form: Form,
  response: FormResponse,
  nowMs: number,
): Promise<boolean> {
  const { mailer, mails, config, log } = deps
  const { consent, email } = response
  if (consent?.status !== "pending" || !email) return false
  if (!(await mayMailVisitor(deps, transaction, { email, kind: "confirmation" }, nowMs))) {
    log.warn("a consent is not asked to be confirmed: too many mails to its mailbox that day", {
      form: form.id,
      response: response.id,
    })
    return false
  }
  const token = newSecretText()
  const mail = {
    workspaceId: form.workspaceId,
    to: email,
    ...replySender(form),
    ...mails.confirmation({
      site: form.site,
      form: form.name,
      isReceipt: form.receipt,
      text: consent.text,
      link: `${config.publicUrl}/consent/${token}`,
    }),
    about: response.id,
  }
  if (!(await mailer.queue(transaction, mail, nowMs))) return false
  await insertRows(transaction, "consent_token", {
    hash: sha256(token),
    response_id: response.id,
    expires_at: nowMs + linkValidMs,
    used_at: null,
  })
  return true
}

/**
 * Ids of the responses whose consent is pending although no mail was queued for it. Leaves out responses
 * older than a link is valid: their unused tokens are deleted, so nothing is known of their mail.
 */
export async function withoutConfirmationMail(
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
  const tokens = await db
    .selectFrom("consent_token")
    .select("response_id")
    .where("response_id", "in", waiting)
    .execute()
  return new Set(waiting).difference(new Set(tokens.map((row) => row.response_id)))
}

/** State of the link with this token; an expired one is `unknown`. */
export async function findConsentLink(db: Db, token: string, nowMs: number): Promise<ConsentLink> {
  const row = await db
    .selectFrom("consent_token")
    .innerJoin("form_response", "form_response.id", "consent_token.response_id")
    .select(["expires_at", "used_at", "form_id", "consent_text"])
    .where("hash", "=", sha256(token))
    .executeTakeFirst()
  const form = row && (await findFormById(db, row.form_id))
  if (!form) return { state: "unknown" }
  if (row.used_at !== null) return { state: "used", form }
  if (row.expires_at <= nowMs) return { state: "unknown" }
  return { state: "open", form, text: row.consent_text ?? "" }
}

/** Once; a message already sent does not change. Resolves to false when the link is not open. */
export function confirmConsent(db: Db, token: string, nowMs: number): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const used = await transaction
      .updateTable("consent_token")
      .set({ used_at: nowMs })
      .where("hash", "=", sha256(token))
      .where("used_at", "is", null)
      .where("expires_at", ">", nowMs)
      .returning("response_id")
      .executeTakeFirst()
    if (!used) return false
    await changeRows(
      transaction,
      "form_response",
      { id: used.response_id },
      { consent_status: "confirmed", consent_confirmed_at: nowMs },
    )
    return true
  })
}
