import { sql } from "kysely"
import { dayMs } from "../../base/clock.ts"
import { firstIdAt, idsOf } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { inSteps } from "../../db/steps.ts"
import { lockingRows } from "../../db/words.ts"
import { minRetentionDays } from "../definition/field.ts"
import type { FormDeps } from "../deps.ts"
import { withAddress } from "./person.ts"
import { dropFiles, filesOfResponses } from "./response-files.ts"

type EraseDeps = Pick<FormDeps, "db" | "messageQueue" | "erasures" | "files">

const batchSize = 200

/** However it was written, in one workspace or in all. Resolves to how many responses there were. */
export function eraseAddress(deps: EraseDeps, address: string, workspaceId?: string): Promise<number> {
  return eraseInBatches(deps, () =>
    withAddress(deps.db, address)
      .select("response_id as id")
      .$if(workspaceId !== undefined, (query) => query.where("workspace_id", "=", workspaceId as string))
      .limit(batchSize)
      .execute(),
  )
}

/** Whichever form they belong to. Resolves to how many there were. */
export async function eraseResponses(deps: EraseDeps, ids: readonly string[]): Promise<number> {
  let erased = 0
  for (let start = 0; start < ids.length; start += batchSize) {
    const wanted = ids.slice(start, start + batchSize)
    const rows = await deps.db.selectFrom("form_response").select("id").where("id", "in", wanted).execute()
    erased += await eraseAll(deps, rows)
  }
  return erased
}

/** Erases the responses of a form that the spam guard stored as unwanted before `beforeMs`. */
export function eraseUnwanted(deps: EraseDeps, formId: string, beforeMs: number): Promise<number> {
  return eraseInBatches(deps, () =>
    oneBatch(deps.db, formId)
      .where("state", "=", "unwanted")
      // An id holds its creation time, so the index of lists finds these rows. The form may have a million
      // times as many received responses.
      .where("id", "<", firstIdAt("resp", beforeMs))
      .execute(),
  )
}

export function eraseFormResponses(deps: EraseDeps, formId: string): Promise<number> {
  return eraseInBatches(deps, () => oneBatch(deps.db, formId).execute())
}

function oneBatch(db: Db, formId: string) {
  return db.selectFrom("form_response").select("id").where("form_id", "=", formId).limit(batchSize)
}

/**
 * Erases the responses of a form that were created before `beforeMs`. What is still to be sent, accepted late or
 * sent again, waits until it was, `minRetentionDays` more at most.
 */
export async function eraseOutlived(deps: EraseDeps, formId: string, beforeMs: number): Promise<number> {
  let erased = 0
  let after = ""
  for (;;) {
    const batch = await oneBatch(deps.db, formId)
      .select("created_at")
      .where("created_at", "<", beforeMs)
      .where("id", ">", after)
      .orderBy("id")
      .execute()
    const last = batch.at(-1)
    if (!last) return erased
    after = last.id
    const pending = await deps.messageQueue.pendingAmong(idsOf(batch))
    const due = batch.filter(
      ({ id, created_at }) => !pending.has(id) || created_at < beforeMs - minRetentionDays * dayMs,
    )
    erased += await eraseAll(deps, due)
  }
}

async function eraseInBatches(deps: EraseDeps, next: () => Promise<{ id: string }[]>): Promise<number> {
  let erased = 0
  for (let batch = await next(); batch.length > 0; batch = await next()) erased += await eraseAll(deps, batch)
  return erased
}

/** Writes the journal first: a response erased without an entry would come back with a restored backup. */
async function eraseAll(deps: EraseDeps, batch: readonly { id: string }[]): Promise<number> {
  const { db, messageQueue, erasures } = deps
  if (batch.length === 0) return 0
  const ids = idsOf(batch)
  await erasures.add(ids)
  await messageQueue.forgetAttempts(ids)
  const files = [...(await filesOfResponses(db, ids)).values()].flat().map(({ id }) => id)
  const erased = await inSteps(
    db,
    // A response that is being accepted is waited for, and its message found. In one order everywhere, so that no two
    // erasures wait for each other.
    (transaction, atMost) =>
      transaction
        .selectFrom("form_response")
        .select("id")
        // Payload, words and mails repeat it.
        .select(sql<number>`4 * octet_length(field_values)`.as("bytes"))
        .where("id", "in", ids)
        .orderBy("id")
        .limit(atMost)
        .$call(lockingRows(transaction))
        .execute(),
    async (transaction, rows) => {
      const erased = idsOf(rows)
      await messageQueue.forget(transaction, erased)
      await transaction.deleteFrom("mail").where("about", "in", erased).execute()
      await transaction.deleteFrom("form_response").where("id", "in", erased).execute()
    },
    messageQueue.invalidateClaims,
  )
  await dropFiles(deps, files)
  return erased
}
