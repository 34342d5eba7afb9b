import type { Db } from "../db/connection.ts"
import type { FormParts } from "./parts.ts"

type Parts = Pick<FormParts, "db" | "messages">

/** Small, so that nobody else's write waits long. */
const batchSize = 200

/** Erases one response of a form, with its payloads and mails; false when the form has no such response. */
export async function eraseResponse({ db, messages }: Parts, formId: string, id: string): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const found = await transaction
      .selectFrom("form_response")
      .select("id")
      .where("id", "=", id)
      .where("form_id", "=", formId)
      .executeTakeFirst()
    if (found) await eraseAll(messages, transaction, [id])
    return found !== undefined
  })
}

/** Erases every response in which an e-mail address was given, in any case of letters; resolves to how many there were. */
export function eraseAddress(parts: Parts, address: string, workspaceId?: string): Promise<number> {
  return eraseInBatches(parts, (transaction) =>
    transaction
      .selectFrom("form_response_address")
      .innerJoin("form_response", "form_response.id", "form_response_address.response_id")
      .innerJoin("form", "form.id", "form_response.form_id")
      .innerJoin("project", "project.id", "form.project_id")
      .select("response_id as id")
      .where("address", "=", address.trim().toLowerCase())
      .$if(workspaceId !== undefined, (query) => query.where("workspace_id", "=", workspaceId as string))
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
  { db, messages }: Parts,
  next: (transaction: Db) => Promise<{ id: string }[]>,
): Promise<number> {
  let erased = 0
  for (;;) {
    const batch = await db.transaction().execute(async (transaction) => {
      const ids = (await next(transaction)).map(({ id }) => id)
      if (ids.length > 0) await eraseAll(messages, transaction, ids)
      return ids.length
    })
    erased += batch
    if (batch < batchSize) return erased
    // Whoever waits for an answer goes first.
    await Bun.sleep(1)
  }
}

async function eraseAll(messages: FormParts["messages"], transaction: Db, ids: string[]): Promise<void> {
  await messages.forget(transaction, ids)
  await transaction.deleteFrom("mail").where("about", "in", ids).execute()
  await transaction.deleteFrom("form_response").where("id", "in", ids).execute()
}
