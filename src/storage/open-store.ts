import type { Config } from "../config/config.ts"
import type { Db } from "../db/connection.ts"
import { openDatabaseRows } from "./database-rows.ts"
import type { ObjectLog, ObjectStore } from "./object-store.ts"
import { openS3, type S3Limits } from "./s3.ts"

/** Where nodes share files: the object store of the settings, or else a database that several nodes may use. */
export function openStore({ storage, secrets }: Config, db: Db): ObjectStore | undefined {
  if (storage.s3 && secrets.storage) return openS3(storage.s3, secrets.storage)
  return secrets.database && openDatabaseRows(db)
}

/**
 * Where nodes share what must outlive the database: the object store of the settings. The one writer of SQLite must
 * not wait for a store.
 */
export function openSharedLog({ storage, secrets }: Config, limits: S3Limits): ObjectLog | undefined {
  if (!secrets.database || !storage.s3 || !secrets.storage) return undefined
  return openS3(storage.s3, secrets.storage, limits)
}
