import { minuteMs } from "../../base/clock.ts"
import type { Db } from "../../db/connection.ts"
import { deleteRows, findRow, insertRows } from "../../db/store.ts"
import { withLock } from "../../db/with-lock.ts"
import type { Limit } from "../../limits/limit.ts"
import { takeIfLeft } from "../../limits/take.ts"
import type { NewMail } from "../../mail/outbox.ts"
import { isEmail } from "../definition/address.ts"
import { shownValue } from "../definition/field.ts"
import { hasValue } from "../definition/field-types.ts"
import { type Form, findFormById } from "../definition/form.ts"
import { confirmedIn } from "../definition/notify.ts"
import type { FormDeps, MailedValue } from "../deps.ts"
import type { FormResponse } from "../responses/form-response.ts"
import type { ResponseFile } from "../responses/response-files.ts"

/** Mails about a single response. A flood of posts must not become a flood of mails. */
const noticeLimit: Limit = { key: "notice", points: 5, per: "hour", on: "form" }
/** Further responses share a digest, sent this long after the first of them. */
export const digestAfterMs = 10 * minuteMs

/** In the transaction that makes it received: by a mail of its own, or later in a digest. */
export async function notifyOwner(
  { mailer, mails, config }: FormDeps,
  transaction: Db,
  form: Form,
  response: FormResponse & { files: readonly ResponseFile[] },
  nowMs: number,
): Promise<void> {
  const link = `${consoleUrl(config.publicUrl, form)}/responses/${response.id}`
  const addresses = confirmedIn(form.notify)
  if (addresses.length === 0) return
  const mayMailNow =
    !(await findRow(transaction, "form_notice", { form_id: form.id })) &&
    (await takeIfLeft(transaction, noticeLimit, form.id, { timezone: config.timezone, nowMs }))
  // Checked once more: what an older version stored becomes a header here.
  const replyTo = response.email !== null && isEmail(response.email) ? response.email : null
  const mail = {
    workspaceId: form.workspaceId,
    ...mails.notice({
      site: form.site,
      form: form.name,
      link,
      values: form.notifyContents ? labelledValues(form, response, link) : [],
      canReply: replyTo !== null,
    }),
    ...(replyTo !== null && { replyTo }),
    about: response.id,
  }
  if (mayMailNow && (await queueTo(mailer, transaction, addresses, mail, nowMs))) return
  await transaction
    .insertInto("form_notice")
    .values({ form_id: form.id, waiting: 1, since: nowMs })
    .onConflict((conflict) =>
      conflict.column("form_id").doUpdateSet((row) => ({ waiting: row("form_notice.waiting", "+", 1) })),
    )
    .execute()
}

/** One mail a form. It shows no contents, so that erasing a response need not look at it. */
export async function sendDigests({
  db,
  mailer,
  mails,
  config,
  clock,
}: Pick<FormDeps, "db" | "mailer" | "mails" | "config" | "clock">): Promise<void> {
  const nowMs = clock.now()
  const due = await db
    .selectFrom("form_notice")
    .select("form_id")
    // A `since` in the future dates from before the clock was set back.
    .where((row) => row.or([row("since", "<=", nowMs - digestAfterMs), row("since", ">", nowMs)]))
    .execute()
  // As a post does: neither waits for the outbox while the other one needs the digest that it holds.
  for (const { form_id } of due)
    await withLock(db, `form:${form_id}`, async (transaction) => {
      const [notice] = await deleteRows(transaction, "form_notice", { form_id })
      const form = notice && (await findFormById(transaction, form_id))
      const addresses = confirmedIn(form?.notify ?? [])
      if (!notice || !form || addresses.length === 0) return
      const mail = {
        workspaceId: form.workspaceId,
        ...mails.digest({
          site: form.site,
          form: form.name,
          count: notice.waiting,
          link: consoleUrl(config.publicUrl, form),
        }),
      }
      if (await queueTo(mailer, transaction, addresses, mail, nowMs)) return
      // The outbox takes no mail now: the digest goes on waiting.
      await insertRows(transaction, "form_notice", { form_id, waiting: notice.waiting, since: nowMs })
    })
  if (due.length > 0) mailer.wake()
}

/** False as soon as the outbox takes no more: what is told is then told to all of them once more, in a digest. */
async function queueTo(
  mailer: FormDeps["mailer"],
  transaction: Db,
  addresses: readonly string[],
  mail: Omit<NewMail, "to">,
  nowMs: number,
): Promise<boolean> {
  for (const to of addresses) if (!(await mailer.queue(transaction, { ...mail, to }, nowMs))) return false
  return true
}

/** Files are named, each with its address in the console: what they hold stays there. */
function labelledValues(
  form: Form,
  { values, files }: Pick<FormResponse, "values"> & { files: readonly ResponseFile[] },
  link: string,
): MailedValue[] {
  return form.fields.filter(hasValue).map((field) => {
    const own = files.filter((file) => file.field === field.name)
    const links = own.map(({ id, name }) => ({ name, url: `${link}/files/${id}` }))
    const value = links.length > 0 ? "" : shownValue(field, values[field.name] ?? "")
    return { label: field.label, value, links }
  })
}

function consoleUrl(publicUrl: string, { projectId, id }: Form): string {
  return `${publicUrl}/console/projects/${projectId}/forms/${id}`
}
