import { firstIdAt } from "../../base/ids.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import type { FormParts } from "../parts.ts"
import { addressKeys } from "../submission/value.ts"

type Parts = Pick<FormParts, "db" | "messages" | "erasures">

/** Small, so that nobody else's write waits long. */
const batchSize = 200

/** Erases one response of a form, with its payloads and mails; false when the form has no such response. */
export async function eraseResponse(parts: Parts, formId: string, id: string): Promise<boolean> {
  const erased = await parts.db.transaction().execute(async (transaction) => {
    const found = await transaction
      .selectFrom("form_response")
      .select("id")
      .where("id", "=", id)
      .where("form_id", "=", formId)
      .executeTakeFirst()
    if (found) await eraseAll(parts, transaction, [id])
    return found !== undefined
  })
  parts.messages.reconsider()
  return erased
}

/**
 * Erases every response in which an e-mail address was given, however it was written; resolves to how many
 * there were.
 */
export function eraseAddress(parts: Parts, address: string, workspaceId?: string): Promise<number> {
  return eraseInBatches(parts, (transaction) =>
    transaction
      .selectFrom("form_response_address")
      .innerJoin("form_response", "form_response.id", "form_response_address.response_id")
      .innerJoin("form", "form.id", "form_response.form_id")
      .innerJoin("project", "project.id", "form.project_id")
      .select("response_id as id")
      .where("address", "in", addressKeys(address))
      .$if(workspaceId !== undefined, (query) => query.where("workspace_id", "=", workspaceId as string))
      .limit(batchSize)
      .execute(),
  )
}

/**
 * Erases those of the responses that are there, whichever form they belong to; resolves to how many there
 * were.
 */
export async function eraseResponses(parts: Parts, ids: readonly string[]): Promise<number> {
  let erased = 0
  for (let start = 0; start < ids.length; start += batchSize) {
    const wanted = ids.slice(start, start + batchSize)
    erased += await eraseInBatches(parts, (transaction) =>
      transaction.selectFrom("form_response").select("id").where("id", "in", wanted).execute(),
    )
  }
  return erased
}

/** Erases what the spam guard kept apart of a form as unwanted before a time. */
export function eraseUnwanted(parts: Parts, formId: string, beforeMs: number): Promise<number> {
  return eraseInBatches(parts, (transaction) =>
    transaction
      .selectFrom("form_response")
      .select("id")
      .where("form_id", "=", formId)
      .where("state", "=", "unwanted")
      // By id, hence by the index of lists: what was received may be a million times as much.
      .where("id", "<", firstIdAt("resp", beforeMs))
      .limit(batchSize)
      .execute(),
  )
}

/** Erases the responses of a form that came before a time, or all of them. */
export function eraseOfForm(parts: Parts, formId: string, beforeMs?: number): Promise<number> {
  return eraseInBatches(parts, (transaction) =>
    transaction
      .selectFrom("form_response")
      .select("id")
      .where("form_id", "=", formId)
      .$if(beforeMs !== undefined, (query) => query.where("created_at", "<", beforeMs as number))
      .limit(batchSize)
      .execute(),
  )
}

async function eraseInBatches(
  parts: Parts,
  next: (transaction: Db) => Promise<{ id: string }[]>,
): Promise<number> {
  let erased = 0
  for (;;) {
    const batch = await parts.db.transaction().execute(async (transaction) => {
      const ids = (await next(transaction)).map(({ id }) => id)
      if (ids.length > 0) await eraseAll(parts, transaction, ids)
      return ids.length
    })
    parts.messages.reconsider()
    erased += batch
    if (batch < batchSize) return erased
    // Whoever waits for an answer goes first.
    await Bun.sleep(1)
  }
}

/** The journal first: what is erased without standing there would come back with a backup. */
async function eraseAll({ messages, erasures }: Parts, transaction: Db, ids: string[]): Promise<void> {
  erasures.add(ids)
  await messages.forget(transaction, ids)
  await transaction.deleteFrom("mail").where("about", "in", ids).execute()
  await transaction.deleteFrom("form_response").where("id", "in", ids).execute()
}
