import { createReadStream } from "node:fs"
import type { Db } from "../db/connection.ts"
import { deleteInSteps } from "../db/delete-in-steps.ts"
import { findRow } from "../db/store.ts"
import type { ObjectStore } from "./object-store.ts"

/** Size of a row: the database holds no more than a few of them in memory. */
const partBytes = 1024 * 1024

/** Keeps files as rows of the database, where nodes share one and no other store is set. */
export function openDatabaseRows(db: Db): ObjectStore {
  async function remove(key: string): Promise<void> {
    await deleteInSteps(db, "archive_part", (part) => part("key", "=", key))
  }

  async function part(key: string, number: number): Promise<Uint8Array | undefined> {
    return (await findRow(db, "archive_part", { key, number }))?.bytes
  }

  return {
    async put(key, file, signal) {
      await remove(key)
      let number = 0
      for await (const bytes of createReadStream(file, { highWaterMark: partBytes })) {
        signal.throwIfAborted()
        await db.insertInto("archive_part").values({ key, number, bytes }).execute()
        number++
      }
    },
    async get(key, signal) {
      const first = await part(key, 0)
      return first && partsFrom(first, (number) => part(key, number), signal)
    },
    remove,
  }
}

/** Ends at the first part that is not there: the reader compares the whole with its checksum. */
async function* partsFrom(
  first: Uint8Array,
  part: (number: number) => Promise<Uint8Array | undefined>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let bytes: Uint8Array | undefined = first
  for (let number = 1; bytes; number++) {
    signal.throwIfAborted()
    yield bytes
    bytes = await part(number)
  }
}
