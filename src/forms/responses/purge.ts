import { setImmediate as yieldToEventLoop } from "node:timers/promises"
import { dayMs } from "../../base/clock.ts"
import type { Db } from "../../db/connection.ts"
import { deleteInSteps } from "../../db/delete-in-steps.ts"
import { withLock } from "../../db/with-lock.ts"
import { countForms, formsSubject, markFormRemoved } from "../definition/form.ts"
import type { FormDeps } from "../deps.ts"
import { eraseFormResponses, eraseOutlived, eraseUnwanted } from "./erase.ts"

/** How long an unsent mail is kept, so that the operator can notice it or configure a mail server. */
const mailKeptMs = 30 * dayMs

/** Time in which an unwanted response can be accepted. A `held` one is kept as long as a received one. */
const unwantedKeptMs = 30 * dayMs

type PurgeDeps = Pick<FormDeps, "db" | "messageQueue" | "erasures" | "files" | "clock">

/**
 * Erases responses that have outlived their form's retention, old unwanted responses, removed forms, expired
 * links and old mails. Resolves to how many responses it erased.
 */
export async function purgeForms(deps: PurgeDeps): Promise<number> {
  const { db, clock } = deps
  const nowMs = clock.now()
  const forms = await db.selectFrom("form").select(["id", "retention_days", "removed_at"]).execute()
  let erased = 0
  for (const { id, retention_days, removed_at } of forms) {
    // Most forms have nothing to erase, and there may be thousands.
    await yieldToEventLoop()
    if (removed_at !== null) {
      erased += await purgeRemovedForm(deps, id)
      continue
    }
    erased += await eraseUnwanted(deps, id, nowMs - unwantedKeptMs)
    if (retention_days !== null) erased += await eraseOutlived(deps, id, nowMs - retention_days * dayMs)
  }
  // A used link stays until its response is erased: it tells the visitor that the consent is confirmed.
  await deleteInSteps(db, "consent_token", ({ and, eb }) =>
    and([eb("expires_at", "<=", nowMs), eb("used_at", "is", null)]),
  )
  await deleteInSteps(db, "notice_token", (link) => link("expires_at", "<=", nowMs))
  await deleteInSteps(db, "mail", (mail) => mail("created_at", "<=", nowMs - mailKeptMs))
  return erased
}

/** Erases the forms of a project, with their traces in the delivery log and the outbox. */
export async function removeForms(deps: PurgeDeps, projectId: string): Promise<void> {
  const { db, clock } = deps
  const forms = await db.selectFrom("form").select("id").where("project_id", "=", projectId).execute()
  for (const { id } of forms) {
    await markFormRemoved(db, id, clock.now())
    await purgeRemovedForm(deps, id)
  }
}

/**
 * Erases the forms of a project, then removes the project by `remove`, in the transaction that finds no form left: no
 * post and no form that came meanwhile goes away with the project unerased.
 */
export async function removeWithForms(
  deps: PurgeDeps,
  projectId: string,
  remove: (transaction: Db) => Promise<void>,
): Promise<void> {
  for (;;) {
    await removeForms(deps, projectId)
    const isRemoved = await withLock(deps.db, formsSubject(projectId), async (transaction) => {
      if ((await countForms(transaction, projectId)) > 0) return false
      await remove(transaction)
      return true
    })
    if (isRemoved) return
  }
}

/** Erases a form that is marked as removed, its responses first. Resolves to how many responses it erased. */
export async function purgeRemovedForm(deps: Omit<PurgeDeps, "clock">, id: string): Promise<number> {
  const erased = await eraseFormResponses(deps, id)
  // Posts that are under way are waited for.
  await withLock(deps.db, `form:${id}`, (transaction) =>
    transaction
      .deleteFrom("form")
      .where("id", "=", id)
      .where("removed_at", "is not", null)
      // One of them has stored a response and its message. The next purge erases both with the form.
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom("form_response").select("form_response.id").where("form_id", "=", id))),
      )
      .execute(),
  )
  return erased
}
