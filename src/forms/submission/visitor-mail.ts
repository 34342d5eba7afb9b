import type { Db } from "../../db/connection.ts"
import { counterOf, type Limit, visitorOn } from "../../limits/limit.ts"
import { takeIfLeft } from "../../limits/take.ts"
import { mailboxOf } from "../../mail/mailbox.ts"
import type { NewMail } from "../../mail/outbox.ts"
import { addressKey } from "../definition/address.ts"
import type { Form } from "../definition/form.ts"
import { confirmedIn } from "../definition/notify.ts"
import type { FormDeps } from "../deps.ts"
import type { FormResponse } from "../responses/form-response.ts"

/**
 * Mails to one mailbox a day, of all forms together, at which each kind stops. Typing a stranger's address again
 * and again must not flood that mailbox. Receipts stop earlier: a consent that is not asked to be confirmed is
 * lost, a receipt is only missed.
 */
const mailboxLimits = {
  confirmation: { key: "mail", points: 5, per: "day", on: "mailbox" },
  receipt: { key: "mail", points: 3, per: "day", on: "mailbox" },
} satisfies Record<string, Limit>

/**
 * Subjects of `withLock` for publishing a response that its visitor gets a mail about: the counters of mailboxes
 * are changed in whatever order responses come, and while the outbox is held.
 */
export function mailboxSubjects(
  deps: Pick<FormDeps, "vault" | "config">,
  form: Form,
  { email }: Pick<FormResponse, "email">,
  nowMs: number,
): string[] {
  if (!email || !(form.receipt || form.consent?.confirmation)) return []
  return [mailboxSubject(deps, email, nowMs)]
}

export function mailboxSubject(deps: Pick<FormDeps, "vault" | "config">, email: string, nowMs: number) {
  const { on, at } = mailboxIn(deps, email, nowMs)
  return counterOf(mailboxLimits.receipt, on, at).subject
}

/** Counts a mail to a visitor; false, and nothing is counted, when the mailbox got enough that day. */
export function mayMailVisitor(
  deps: Pick<FormDeps, "vault" | "config">,
  transaction: Db,
  { email, kind }: { email: string; kind: keyof typeof mailboxLimits },
  nowMs: number,
): Promise<boolean> {
  const { on, at } = mailboxIn(deps, email, nowMs)
  return takeIfLeft(transaction, mailboxLimits[kind], on, at)
}

function mailboxIn({ vault, config }: Pick<FormDeps, "vault" | "config">, email: string, nowMs: number) {
  const at = { timezone: config.timezone, nowMs }
  return { on: visitorOn(vault, mailboxOf(addressKey(email)), at), at }
}

/**
 * How a mail to a visitor is sent: in the name of the site, and answered to the first address that has confirmed
 * that it is told about responses. Another one may be anybody's.
 */
export function replySender({
  site,
  notify,
}: Pick<Form, "site" | "notify">): Pick<NewMail, "fromName" | "replyTo" | "isReply"> {
  const [replyTo] = confirmedIn(notify)
  return { fromName: site.name, isReply: true, ...(replyTo !== undefined && { replyTo }) }
}

/**
 * Queues the receipt for the person who wrote, in the transaction that makes the response received. The address is
 * unproven, so the mail shows nothing that was typed: it cannot carry the writer's words to a stranger.
 */
export async function sendReceipt(
  deps: FormDeps,
  transaction: Db,
  form: Form,
  { id, email, createdAt }: FormResponse,
  nowMs: number,
): Promise<void> {
  const { mailer, mails, config } = deps
  if (!form.receipt || !email) return
  if (!(await mayMailVisitor(deps, transaction, { email, kind: "receipt" }, nowMs))) return
  const { site, name, thanks } = form
  const mail = mails.receipt({ site, form: name, thanks, at: createdAt, timezone: config.timezone })
  const to = { workspaceId: form.workspaceId, to: email, ...replySender(form) }
  await mailer.queue(transaction, { ...to, ...mail, about: id }, nowMs)
}
