import type { Config } from "../config/config.ts"
import type { Db } from "../db/connection.ts"
import { deleteInSteps } from "../db/delete-in-steps.ts"
import { findRow, insertRows } from "../db/store.ts"
import type { ObjectLog, ObjectStore } from "./object-store.ts"
import { openS3 } from "./s3.ts"

/** A place for the parts of files. All but `put` may be asked for what is not there. Throws StorageError. */
export interface FileParts {
  /** Size of each part of a file but the last. */
  partBytes: number
  put(fileId: string, number: number, bytes: Uint8Array, signal: AbortSignal): Promise<void>
  get(fileId: string, number: number, signal: AbortSignal): Promise<AsyncIterable<Uint8Array> | undefined>
  /** Removes the first `count` parts of a file, which has no more. */
  remove(fileId: string, count: number, signal: AbortSignal): Promise<void>
}

export type FilePlace = "database" | "s3"

/** The places of the settings. New files go to the object store where there is one, or else to the database. */
type FilePlaces = { database: FileParts; s3?: FileParts | undefined }

export function openFilePlaces({ storage, secrets }: Config, db: Db): FilePlaces {
  const s3 = storage.s3 && secrets.storage && partsInStore(openS3(storage.s3, secrets.storage))
  return { database: partsInDatabase(db), s3 }
}

/** Rows are small: on SQLite each is a commit that every other writer waits for. */
function partsInDatabase(db: Db): FileParts {
  return {
    partBytes: 256 * 1024,
    put: (file_id, number, bytes) => insertRows(db, "stored_file_part", { file_id, number, bytes }),
    async get(fileId, number) {
      const row = await findRow(db, "stored_file_part", { file_id: fileId, number })
      return row && only(row.bytes)
    },
    async remove(fileId) {
      await deleteInSteps(db, "stored_file_part", (part) => part("file_id", "=", fileId))
    },
  }
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function partsInStore(store: ObjectStore & ObjectLog): FileParts {
  const key = (fileId: string, number: number) => `files/${fileId}/${number}`
  return {
    partBytes: 8 * 1024 * 1024,
    put: (fileId, number, bytes, signal) => store.add(key(fileId, number), bytes, signal),
    get: (fileId, number, signal) => store.get(key(fileId, number), signal),
    async remove(fileId, count, signal) {
      for (let number = 0; number < count; number++) await store.remove(key(fileId, number), signal)
    },
  }
}
