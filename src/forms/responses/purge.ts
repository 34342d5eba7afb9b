import { dayMs } from "../../base/clock.ts"
import { alone } from "../../db/alone.ts"
import type { Db } from "../../db/connection.ts"
import { countForms, formsSubject, markFormRemoved } from "../definition/form.ts"
import type { FormDeps } from "../deps.ts"
import { eraseFormResponses, eraseUnwanted } from "./erase.ts"

/** How long an unsent mail is kept, so that the operator can notice it or configure a mail server. */
const mailKeptMs = 30 * dayMs

/**
 * How long an unwanted response waits for somebody to accept it. A `held` one is only doubtful: it is kept as
 * long as a received one.
 */
const unwantedKeptMs = 30 * dayMs

/**
 * Erases responses that have outlived their form's retention, old unwanted responses, removed forms, expired
 * links and old mails. Resolves to how many responses it erased.
 */
export async function purgeForms(
  deps: Pick<FormDeps, "db" | "messageQueue" | "erasures" | "clock">,
): Promise<number> {
  const { db, clock } = deps
  const nowMs = clock.now()
  const forms = await db.selectFrom("form").select(["id", "retention_days", "removed_at"]).execute()
  let erased = 0
  for (const { id, retention_days, removed_at } of forms) {
    if (removed_at !== null) {
      erased += await purgeRemovedForm(deps, id)
      continue
    }
    erased += await eraseUnwanted(deps, id, nowMs - unwantedKeptMs)
    if (retention_days !== null) erased += await eraseFormResponses(deps, id, nowMs - retention_days * dayMs)
  }
  // A used link stays until its response is erased: it tells the visitor that the consent is confirmed.
  await db.deleteFrom("consent_token").where("expires_at", "<=", nowMs).where("used_at", "is", null).execute()
  await db
    .deleteFrom("mail")
    .where("created_at", "<=", nowMs - mailKeptMs)
    .execute()
  return erased
}

/**
 * Erases the forms of a project, with their traces in the delivery log and the outbox, then removes the project by
 * `remove`, in the transaction that finds no form left: no post and no form that came meanwhile goes away with the
 * project unerased.
 */
export async function removeWithForms(
  deps: Pick<FormDeps, "db" | "messageQueue" | "erasures" | "clock">,
  projectId: string,
  remove: (transaction: Db) => Promise<void>,
): Promise<void> {
  const { db, clock } = deps
  for (;;) {
    const forms = await db.selectFrom("form").select("id").where("project_id", "=", projectId).execute()
    for (const { id } of forms) {
      await markFormRemoved(db, id, clock.now())
      await purgeRemovedForm(deps, id)
    }
    const isRemoved = await alone(db, formsSubject(projectId), async (transaction) => {
      if ((await countForms(transaction, projectId)) > 0) return false
      await remove(transaction)
      return true
    })
    if (isRemoved) return
  }
}

/** Erases a form that is marked as removed, its responses first. Resolves to how many responses it erased. */
export async function purgeRemovedForm(
  deps: Pick<FormDeps, "db" | "messageQueue" | "erasures">,
  id: string,
): Promise<number> {
  const erased = await eraseFormResponses(deps, id)
  // Posts that are under way are waited for.
  await alone(deps.db, `form:${id}`, (transaction) =>
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
