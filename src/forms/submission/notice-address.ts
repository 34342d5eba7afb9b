import { dayMs } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import { newSecretText, sha256 } from "../../base/hash.ts"
import type { Db } from "../../db/connection.ts"
import { changeRows, deleteRows, insertRows } from "../../db/store.ts"
import { withLock } from "../../db/with-lock.ts"
import { tooMany, untilNextMs } from "../../limits/limit.ts"
import { addressKey } from "../definition/address.ts"
import { type Form, findFormById } from "../definition/form.ts"
import { confirmedAt, type NoticeAddress } from "../definition/notify.ts"
import type { FormDeps } from "../deps.ts"
import { mailboxSubject, mayMailVisitor } from "./visitor-mail.ts"

const linkValidMs = 7 * dayMs

type NoticeDeps = Pick<FormDeps, "db" | "vault" | "mailer" | "mails" | "config">

/**
 * Mails a link to each notice address that has not confirmed yet and has no open link: only a confirmed address gets
 * notices, so a stranger cannot have mails sent to it. An address that has confirmed for another form of the workspace
 * counts as confirmed. Resolves to the form as it is afterwards.
 */
export async function askNoticeAddresses(deps: NoticeDeps, form: Form, nowMs: number): Promise<Form> {
  const pending = form.notify.filter((each) => each.confirmedAt === null)
  const subjects = pending.map(({ to }) => mailboxSubject(deps, to, nowMs))
  const askedForm = await withLock(deps.db, [`form:${form.id}`, ...subjects], async (transaction) => {
    // An address that has confirmed since stays confirmed, and a change that came in between stands.
    const stored = await findFormById(transaction, form.id)
    const present = stored ?? form
    const wanted = present.notify.map(({ to }) => addressKey(to))
    await forgetOthers(transaction, form.id, wanted)
    if (pending.length === 0) return present
    const own = new Set(pending.map(({ to }) => addressKey(to)))
    const confirmed = await confirmedInWorkspace(transaction, form)
    const notify = present.notify.map((each) => ({
      to: each.to,
      confirmedAt: each.confirmedAt ?? confirmedAt(confirmed, each.to),
    }))
    await changeRows(transaction, "form", { id: form.id }, { notify: JSON.stringify(notify) })
    const onTheirWay = await pendingLinks(transaction, form.id, nowMs)
    for (const { to, confirmedAt } of notify)
      if (confirmedAt === null && own.has(addressKey(to)) && !onTheirWay.has(addressKey(to)))
        await ask(deps, transaction, present, to, nowMs)
    return { ...present, notify }
  })
  deps.mailer.wake()
  return askedForm
}

/**
 * Asks one address of a form once more, whose mail may be lost. Links that are on their way stay good. Throws Refusal:
 * `not_found` for one that is not to confirm; `conflict` without an SMTP server; `rate_limited` where its mailbox got
 * enough mails that day; `unavailable` where too many wait.
 */
export async function askAgain(deps: NoticeDeps, form: Form, to: string, nowMs: number): Promise<void> {
  if (!deps.mailer.configured) throw new Refusal("conflict", detail("mail.notConfigured"))
  const subjects = [`form:${form.id}`, mailboxSubject(deps, to, nowMs)]
  await withLock(deps.db, subjects, async (transaction) => {
    const present = await findFormById(transaction, form.id)
    const pending = present?.notify.find((each) => addressKey(each.to) === addressKey(to))
    if (!present || !pending || pending.confirmedAt !== null)
      throw new Refusal("not_found", detail("forms.notToConfirm"))
    const outcome = await ask(deps, transaction, present, pending.to, nowMs)
    if (outcome === "mailbox full")
      throw tooMany(detail("forms.askedOften"), untilNextMs("day", { timezone: deps.config.timezone, nowMs }))
    if (outcome === "outbox full") throw new Refusal("unavailable", detail("accounts.mailsWaiting"))
  })
  deps.mailer.wake()
}

async function ask(deps: NoticeDeps, transaction: Db, form: Form, to: string, nowMs: number) {
  const { mailer, mails, config } = deps
  if (!(await mayMailVisitor(deps, transaction, { email: to, kind: "confirmation" }, nowMs)))
    return "mailbox full"
  const token = newSecretText()
  const link = `${config.publicUrl}/notice/${token}`
  const mail = {
    workspaceId: form.workspaceId,
    to,
    fromName: form.site.name,
    ...mails.noticeAddress({ site: form.site, form: form.name, link }),
    about: form.id,
  }
  if (!(await mailer.queue(transaction, mail, nowMs))) return "outbox full"
  await insertRows(transaction, "notice_token", {
    hash: sha256(token),
    form_id: form.id,
    address: addressKey(to),
    expires_at: nowMs + linkValidMs,
  })
  return "asked"
}

/** Links of addresses that the form no longer has. */
async function forgetOthers(transaction: Db, formId: string, wanted: readonly string[]): Promise<void> {
  await transaction
    .deleteFrom("notice_token")
    .where("form_id", "=", formId)
    .$if(wanted.length > 0, (links) => links.where("address", "not in", wanted))
    .execute()
}

async function pendingLinks(transaction: Db, formId: string, nowMs: number): Promise<Set<string>> {
  const rows = await transaction
    .selectFrom("notice_token")
    .select("address")
    .where("form_id", "=", formId)
    .where("expires_at", ">", nowMs)
    .execute()
  return new Set(rows.map(({ address }) => address))
}

/** Addresses that have confirmed for another form of the workspace, which has 2,000 at most. */
async function confirmedInWorkspace(transaction: Db, { id, workspaceId }: Pick<Form, "id" | "workspaceId">) {
  const rows = await transaction
    .selectFrom("form")
    .innerJoin("project", "project.id", "form.project_id")
    .select("form.notify")
    .where("workspace_id", "=", workspaceId)
    .where("form.id", "!=", id)
    .where("form.notify", "is not", null)
    .execute()
  return rows
    .flatMap(({ notify }) => JSON.parse(notify ?? "[]") as NoticeAddress[])
    .filter((each) => each.confirmedAt !== null)
}

/** The form that a link is about, and the address; undefined for one that is used up, expired or unknown. */
export async function findNoticeLink(
  db: Db,
  token: string,
  nowMs: number,
): Promise<{ form: Form; address: string } | undefined> {
  const row = await db
    .selectFrom("notice_token")
    .select(["form_id", "address"])
    .where("hash", "=", sha256(token))
    .where("expires_at", ">", nowMs)
    .executeTakeFirst()
  const form = row && (await findFormById(db, row.form_id))
  return form && { form, address: row.address }
}

/** From now on the address gets mails. Resolves to false when the link is not open. */
export async function confirmNoticeAddress(db: Db, token: string, nowMs: number): Promise<boolean> {
  const link = await findNoticeLink(db, token, nowMs)
  if (!link) return false
  return withLock(db, `form:${link.form.id}`, async (transaction) => {
    const form = await findFormById(transaction, link.form.id)
    // With the other links that it was sent.
    const used = await deleteRows(transaction, "notice_token", {
      form_id: link.form.id,
      address: link.address,
    })
    if (!form || used.every(({ hash }) => hash !== sha256(token))) return false
    const notify = form.notify.map((each) =>
      addressKey(each.to) === link.address ? { ...each, confirmedAt: each.confirmedAt ?? nowMs } : each,
    )
    await changeRows(transaction, "form", { id: form.id }, { notify: JSON.stringify(notify) })
    return true
  })
}
