import { dayMs } from "../../base/clock.ts"
import { markFormRemoved } from "../definition/form.ts"
import type { FormParts } from "../parts.ts"
import { eraseOfForm, eraseUnwanted } from "./erase.ts"

/** A mail that could not be sent is kept this long, for somebody to wonder or to set a server. */
const mailKeptMs = 30 * dayMs

/** Nobody accepted it in this time. What is `held` is doubtful, and stays as long as what was received. */
const unwantedKeptMs = 30 * dayMs

/**
 * Erases what has outlived its form's retention, what stayed unwanted, removed forms, dead links and old
 * mails; resolves to how many responses went.
 */
export async function purgeForms(
  parts: Pick<FormParts, "db" | "messages" | "erasures" | "clock">,
): Promise<number> {
  const { db, clock } = parts
  const nowMs = clock.now()
  const forms = await db.selectFrom("form").select(["id", "retention_days", "removed_at"]).execute()
  let erased = 0
  for (const { id, retention_days, removed_at } of forms) {
    if (removed_at !== null) {
      erased += await purgeRemovedForm(parts, id)
      continue
    }
    erased += await eraseUnwanted(parts, id, nowMs - unwantedKeptMs)
    if (retention_days !== null) erased += await eraseOfForm(parts, id, nowMs - retention_days * dayMs)
  }
  // A link that was used goes with its response: until then it says that the consent is confirmed.
  await db.deleteFrom("consent_token").where("expires_at", "<=", nowMs).where("used_at", "is", null).execute()
  await db
    .deleteFrom("mail")
    .where("created_at", "<=", nowMs - mailKeptMs)
    .execute()
  return erased
}

/**
 * Erases the forms of a project that is about to go, with what their responses left in the delivery log and
 * the outbox.
 */
export async function eraseFormsOf(
  parts: Pick<FormParts, "db" | "messages" | "erasures" | "clock">,
  projectId: string,
): Promise<void> {
  const forms = await parts.db.selectFrom("form").select("id").where("project_id", "=", projectId).execute()
  for (const { id } of forms) {
    await markFormRemoved(parts.db, id, parts.clock.now())
    await purgeRemovedForm(parts, id)
  }
}

/** Erases a form that was marked as removed, its responses first. */
export async function purgeRemovedForm(
  parts: Pick<FormParts, "db" | "messages" | "erasures">,
  id: string,
): Promise<number> {
  const erased = await eraseOfForm(parts, id)
  await parts.db
    .deleteFrom("form")
    .where("id", "=", id)
    .where("removed_at", "is not", null)
    // One that was being posted all the while has left a message, which the next purge erases with it.
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("form_response").select("form_response.id").where("form_id", "=", id))),
    )
    .execute()
  return erased
}
