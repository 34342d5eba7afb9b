import { takePlace } from "../../accounts/quotas/rate-limit.ts"
import { hourMs, minuteMs } from "../../base/clock.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import { type Form, formOfId } from "../definition/form.ts"
import type { FormParts } from "../parts.ts"
import type { FormResponse } from "../responses/form-response.ts"

/**
 * Of one form: so many mails of one response each, then one more every twelve minutes. A flood of posts must
 * not become one of mails.
 */
const single = { count: 5, windowMs: hourMs }
/** Those beyond are told together, so long after the first of them. */
export const gatheredAfterMs = 10 * minuteMs

/**
 * Tells the owner of a form of a response, in the transaction that makes it received: by a mail of its own,
 * or with others later.
 */
export async function tellOwner(
  { mailer, mails, config }: FormParts,
  transaction: Db,
  form: Form,
  response: FormResponse,
  nowMs: number,
): Promise<void> {
  const { ownerMail } = form
  if (!ownerMail) return
  const isAlone =
    !(await isGathering(transaction, form.id)) &&
    (await takePlace(transaction, `notice:${form.id}`, single, nowMs))
  const mail = {
    workspaceId: form.workspaceId,
    to: ownerMail.to,
    ...mails.notice({
      form: form.name,
      link: `${addressOf(config.publicUrl, form)}#${response.id}`,
      values: ownerMail.contents ? typedIn(form, response) : [],
    }),
    about: response.id,
  }
  if (isAlone && (await mailer.queue(transaction, mail, nowMs))) return
  await transaction
    .insertInto("form_notice")
    .values({ form_id: form.id, waiting: 1, since: nowMs })
    .onConflict((conflict) =>
      conflict.column("form_id").doUpdateSet((row) => ({ waiting: row("form_notice.waiting", "+", 1) })),
    )
    .execute()
}

/**
 * Tells owners of what has gathered for long enough, in one mail a form: how many came, and where they are
 * read. It shows nothing of them, so that erasing one needs no look at it.
 */
export async function tellGathered({
  db,
  mailer,
  mails,
  config,
  clock,
}: Pick<FormParts, "db" | "mailer" | "mails" | "config" | "clock">): Promise<void> {
  const nowMs = clock.now()
  const due = await db
    .selectFrom("form_notice")
    .select("form_id")
    // One of more than that to come is from before the clock was set back.
    .where((row) => row.or([row("since", "<=", nowMs - gatheredAfterMs), row("since", ">", nowMs)]))
    .execute()
  for (const { form_id } of due)
    await db.transaction().execute(async (transaction) => {
      const notice = await transaction
        .deleteFrom("form_notice")
        .where("form_id", "=", form_id)
        .returning("waiting")
        .executeTakeFirst()
      const form = notice && (await formOfId(transaction, form_id))
      if (!notice || !form?.ownerMail) return
      const mail = {
        workspaceId: form.workspaceId,
        to: form.ownerMail.to,
        ...mails.gathered({
          form: form.name,
          count: notice.waiting,
          link: addressOf(config.publicUrl, form),
        }),
      }
      if (await mailer.queue(transaction, mail, nowMs)) return
      // No place in the outbox: they go on waiting.
      await transaction
        .insertInto("form_notice")
        .values({ form_id, waiting: notice.waiting, since: nowMs })
        .execute()
    })
  if (due.length > 0) mailer.wake()
}

async function isGathering(transaction: Db, formId: string): Promise<boolean> {
  const row = await transaction
    .selectFrom("form_notice")
    .select("form_id")
    .where("form_id", "=", formId)
    .executeTakeFirst()
  return row !== undefined
}

function typedIn(form: Form, response: FormResponse): { label: string; value: string }[] {
  return form.fields.map(({ name, label }) => ({ label, value: response.values[name] ?? "" }))
}

function addressOf(publicUrl: string, { projectId, id }: Form): string {
  return `${publicUrl}/console/projects/${projectId}/forms/${id}`
}
