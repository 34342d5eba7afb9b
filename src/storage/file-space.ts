import { sql } from "kysely"
import { detail, Refusal } from "../base/errors.ts"
import type { Db } from "../db/connection.ts"
import { insertMissing } from "../db/store.ts"
import { lockUntilCommit } from "../db/with-lock.ts"
import { shareId, sharingWith } from "../limits/share.ts"

/** The row of a small file takes about as much. */
const leastBytes = 4096

/** Takes room for a file. Throws Refusal `quota_exceeded` where the workspace and the others of its share lack it. */
export async function takeSpace(transaction: Db, workspaceId: string, bytes: number, quotaBytes: number) {
  const taken = Math.max(bytes, leastBytes)
  // The limit is on the sum of several rows, which PostgreSQL does not read again after waiting for one of them.
  await lockUntilCommit(transaction, `file-space:${await shareId(transaction, workspaceId)}`)
  await insertMissing(transaction, "file_space", { workspace_id: workspaceId, bytes: 0 })
  const sharing = await sharingWith(transaction, workspaceId)
  const { numUpdatedRows } = await add(transaction, workspaceId, taken)
    .where(
      ({ selectFrom }) =>
        selectFrom("file_space as shared")
          .select(({ fn }) => fn.sum<number>("shared.bytes").as("bytes"))
          .where("shared.workspace_id", "in", sharing),
      "<=",
      quotaBytes - taken,
    )
    .executeTakeFirst()
  if (numUpdatedRows === 0n)
    throw new Refusal("quota_exceeded", detail("storage.full", { megabytes: quotaBytes / 1024 ** 2 }))
}

/** Gives back the room of a file; that of a workspace that is gone went with it. */
export async function giveSpace(transaction: Db, workspaceId: string, bytes: number): Promise<void> {
  await add(transaction, workspaceId, -Math.max(bytes, leastBytes)).execute()
}

function add(transaction: Db, workspaceId: string, bytes: number) {
  return transaction
    .updateTable("file_space")
    .set({ bytes: sql`bytes + ${bytes}` })
    .where("workspace_id", "=", workspaceId)
}
