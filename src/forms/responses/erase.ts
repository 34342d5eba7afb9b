import { firstIdAt } from "../../base/ids.ts"
import { alone } from "../../db/alone.ts"
import type { Db } from "../../db/connection.ts"
import { lockingRows } from "../../db/words.ts"
import type { FormDeps } from "../deps.ts"
import { addressKeys } from "../submission/value.ts"

type EraseDeps = Pick<FormDeps, "db" | "messageQueue" | "erasures">

/** Responses per transaction; small, so that other writes do not wait long. */
const batchSize = 200

/**
 * Erases one response of a form with its payloads and mails. Resolves to false when the form has no such
 * response.
 */
export async function eraseResponse(deps: EraseDeps, formId: string, id: string): Promise<boolean> {
  const erased = await alone(deps.db, `form:${formId}`, async (transaction) => {
    const found = await transaction
      .selectFrom("form_response")
      .select("id")
      .where("id", "=", id)
      .where("form_id", "=", formId)
      .executeTakeFirst()
    if (found) await eraseAll(deps, transaction, [id])
    return found !== undefined
  })
  deps.messageQueue.invalidateClaims()
  return erased
}

/**
 * Erases every response that contains this e-mail address, however it was written, in one workspace or in
 * all. Resolves to how many there were.
 */
export function eraseAddress(deps: EraseDeps, address: string, workspaceId?: string): Promise<number> {
  return eraseInBatches(deps, (transaction) =>
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
 * Erases those of these responses that exist, whichever form they belong to. Resolves to how many there were.
 */
export async function eraseResponses(deps: EraseDeps, ids: readonly string[]): Promise<number> {
  let erased = 0
  for (let start = 0; start < ids.length; start += batchSize) {
    const wanted = ids.slice(start, start + batchSize)
    erased += await eraseInBatches(deps, (transaction) =>
      transaction.selectFrom("form_response").select("id").where("id", "in", wanted).execute(),
    )
  }
  return erased
}

/** Erases the responses of a form that the spam guard stored as unwanted before `beforeMs`. */
export function eraseUnwanted(deps: EraseDeps, formId: string, beforeMs: number): Promise<number> {
  return eraseInBatches(deps, (transaction) =>
    transaction
      .selectFrom("form_response")
      .select("id")
      .where("form_id", "=", formId)
      .where("state", "=", "unwanted")
      // An id holds its creation time, so the index of lists finds these rows. The form may have a million
      // times as many received responses.
      .where("id", "<", firstIdAt("resp", beforeMs))
      .limit(batchSize)
      .execute(),
  )
}

/** Erases the responses of a form that were created before `beforeMs`, or all of them. */
export function eraseFormResponses(deps: EraseDeps, formId: string, beforeMs?: number): Promise<number> {
  return eraseInBatches(deps, (transaction) =>
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
  deps: EraseDeps,
  next: (transaction: Db) => Promise<{ id: string }[]>,
): Promise<number> {
  let erased = 0
  for (;;) {
    const batch = await deps.db.transaction().execute(async (transaction) => {
      const ids = (await next(transaction)).map(({ id }) => id)
      if (ids.length > 0) await eraseAll(deps, transaction, ids)
      return ids.length
    })
    deps.messageQueue.invalidateClaims()
    erased += batch
    if (batch < batchSize) return erased
    // Lets waiting requests run before the next batch.
    await Bun.sleep(1)
  }
}

/** Writes the journal first: a response erased without an entry would come back with a restored backup. */
async function eraseAll(
  { messageQueue, erasures }: EraseDeps,
  transaction: Db,
  ids: string[],
): Promise<void> {
  await erasures.add(ids)
  // One that is being accepted is waited for, and its message found. In one order everywhere, so that no two
  // erasures wait for each other.
  await transaction
    .selectFrom("form_response")
    .select("id")
    .where("id", "in", ids)
    .orderBy("id")
    .$call(lockingRows(transaction))
    .execute()
  await messageQueue.forget(transaction, ids)
  await transaction.deleteFrom("mail").where("about", "in", ids).execute()
  await transaction.deleteFrom("form_response").where("id", "in", ids).execute()
}
