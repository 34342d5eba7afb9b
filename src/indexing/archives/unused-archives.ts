import { type Clock, minuteMs } from "../../base/clock.ts"
import type { Db } from "../../db/connection.ts"
import type { ObjectStore } from "../../storage/object-store.ts"
import { isAbandoned, replacedKeptMs } from "../generation.ts"

/** The archive of a generation that is gone or abandoned may still be on its way to the store: for less than this. */
const uploadMs = 20 * minuteMs

/**
 * Removes the archives that no node needs: those of generations that were replaced a while ago, or whose project was
 * removed. For one node at a time. Throws StorageError when the store cannot be used; the next run goes on.
 */
export async function dropUnusedArchives(
  { db, clock, store }: { db: Db; clock: Clock; store: ObjectStore },
  signal: AbortSignal,
): Promise<void> {
  const nowMs = clock.now()
  const rows = await db
    .selectFrom("archive")
    .leftJoin("generation", (join) =>
      join
        .onRef("generation.project_id", "=", "archive.project_id")
        .onRef("generation.number", "=", "archive.number"),
    )
    .select(["archive.key", "begun_at", "live", "replaced_at", "checksum", "generation.archive"])
    .execute()
  for (const row of rows) {
    const { key, begun_at, live, replaced_at, archive } = row
    const isBuilt = live === 0 && replaced_at === null
    const isFetched = archive === key && (live === 1 || (replaced_at ?? 0) > nowMs - replacedKeptMs)
    const isOnItsWay = (live === null || isAbandoned(row)) && begun_at > nowMs - uploadMs
    if (isBuilt || isFetched || isOnItsWay) continue
    await store.remove(key, signal)
    await db.deleteFrom("archive").where("key", "=", key).execute()
  }
}
