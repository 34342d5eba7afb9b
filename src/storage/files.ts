import { sql } from "kysely"
import { type Clock, hourMs } from "../base/clock.ts"
import { detail, Refusal } from "../base/errors.ts"
import { firstIdAt, idsOf, newId } from "../base/ids.ts"
import { camelNames } from "../base/names.ts"
import type { Config } from "../config/config.ts"
import type { Db } from "../db/connection.ts"
import { inPortions } from "../db/portions.ts"
import { belongingsOf, type Row } from "../db/schema.ts"
import { changeRows, deleteRows, insertRows } from "../db/store.ts"
import { lockingRows } from "../db/words.ts"
import { type FileParts, type FilePlace, openFilePlaces } from "./file-parts.ts"
import { giveSpace, takeSpace } from "./file-space.ts"
import { StorageError } from "./object-store.ts"

/** A file that came from outside, kept as long as a row refers to it. */
export interface StoredFile {
  id: string
  workspaceId: string
  bytes: number
  /** As its content was judged: `application/pdf`. */
  mediaType: string
  /** SHA-256 of its content, base64url. */
  hash: string
  place: FilePlace
  partBytes: number
  createdAt: number
}

export interface NewFile {
  workspaceId: string
  mediaType: string
  content: Uint8Array
}

/** Time in which a new file is referred to. */
const unclaimedMs = hourMs

/** What the operations on files share. */
interface FileStore {
  db: Db
  clock: Clock
  places: ReturnType<typeof openFilePlaces>
  quotaBytes: Config["storage"]["filesPerWorkspaceBytes"]
}

/** Files that came from outside, in the database or in the object store of the settings. */
export type Files = ReturnType<typeof openFiles>

export function openFiles(config: Config, db: Db, clock: Clock) {
  const quotaBytes = config.storage.filesPerWorkspaceBytes
  const store: FileStore = { db, clock, places: openFilePlaces(config, db), quotaBytes }
  return {
    put: (file: NewFile, signal: AbortSignal) => putFile(store, file, signal),
    content: (file: StoredFile, signal: AbortSignal) => readContent(store, file, signal),
    remove: (ids: readonly string[], signal: AbortSignal) => removeFiles(store, ids, signal),
    purge: (signal: AbortSignal) => purgeFiles(store, signal),
  }
}

function partsIn({ places }: FileStore, place: FilePlace): FileParts {
  const parts = places[place]
  if (!parts) throw new StorageError("files are in an object store that is not set any more")
  return parts
}

/**
 * Stores a file, which is gone an hour later unless a transaction has referred to it, which calls `claimFiles`.
 * Throws Refusal `quota_exceeded` where the workspace has no room for it, and StorageError.
 */
async function putFile(
  store: FileStore,
  { workspaceId, mediaType, content }: NewFile,
  signal: AbortSignal,
): Promise<StoredFile> {
  const { db, clock, quotaBytes } = store
  const place = store.places.s3 ? "s3" : "database"
  const parts = partsIn(store, place)
  const createdAt = clock.now()
  const row = {
    id: newId("file", createdAt),
    workspace_id: workspaceId,
    bytes: content.length,
    media_type: mediaType,
    hash: "",
    place,
    part_bytes: parts.partBytes,
    created_at: createdAt,
    removed_at: null,
  } satisfies Row<"stored_file">
  await db.transaction().execute(async (transaction) => {
    await takeSpace(transaction, workspaceId, row.bytes, quotaBytes)
    await insertRows(transaction, "stored_file", row)
  })
  try {
    const hash = await putParts(parts, row.id, content, signal)
    const isThere = await changeRows(db, "stored_file", { id: row.id, removed_at: null }, { hash })
    if (!isThere) throw new StorageError("storing a file took too long")
    return storedFile({ ...row, hash })
  } catch (error) {
    // Later where it cannot be now: the error is the one to tell.
    await removeFiles(store, [row.id], AbortSignal.timeout(unclaimedMs)).catch(() => {})
    throw error
  }
}

/** Resolves to the hash of the content. */
async function putParts(
  { partBytes, put }: FileParts,
  id: string,
  content: Uint8Array,
  signal: AbortSignal,
): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256")
  // Ends well before a purge: a part that comes after it would stay for good.
  const limited = AbortSignal.any([signal, AbortSignal.timeout(unclaimedMs / 2)])
  for (let number = 0; number * partBytes < content.length; number++) {
    limited.throwIfAborted()
    const part = content.subarray(number * partBytes, (number + 1) * partBytes)
    hasher.update(part)
    await put(id, number, part, limited)
  }
  return hasher.digest("base64url")
}

/**
 * The content, which ends only where all of it was right. Throws StorageError while it is read, when some of it is
 * missing or damaged, or the store cannot be used.
 */
async function* readContent(
  store: FileStore,
  { id, bytes, hash, place, partBytes }: StoredFile,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { get } = partsIn(store, place)
  const hasher = new Bun.CryptoHasher("sha256")
  // Held back until all was read, so that no damaged content comes to its end.
  let last: Uint8Array | undefined
  for (let number = 0; number < Math.ceil(bytes / partBytes); number++) {
    signal.throwIfAborted()
    const chunks = await get(id, number, signal)
    if (!chunks) throw new StorageError(`part ${number} of ${id} is missing`)
    for await (const chunk of chunks) {
      hasher.update(chunk)
      if (last) yield last
      last = chunk
    }
  }
  if (hasher.digest("base64url") !== hash) throw new StorageError(`${id} is damaged`)
  if (last) yield last
}

/** Removes those of these files that nothing refers to. Throws StorageError: the purge removes what is left. */
async function removeFiles(store: FileStore, ids: readonly string[], signal: AbortSignal): Promise<void> {
  const { db, clock } = store
  if (ids.length === 0) return
  await db.transaction().execute(async (transaction) => {
    // Waits for transactions that are about to refer to one of the files, and then sees the reference.
    const rows = await withIds(transaction, ids).orderBy("id").$call(lockingRows(transaction)).execute()
    if (rows.length === 0) return
    await transaction
      .updateTable("stored_file")
      .set({ removed_at: clock.now() })
      .where("id", "in", idsOf(rows))
      .where(isUnused)
      .execute()
  })
  await removeMarked(store, ids, signal)
}

async function removeMarked(store: FileStore, ids: readonly string[], signal: AbortSignal): Promise<void> {
  const { db } = store
  for (const { id, bytes, place, part_bytes } of await withIds(db, ids)
    .where("removed_at", "is not", null)
    .execute()) {
    await partsIn(store, place).remove(id, Math.ceil(bytes / part_bytes), signal)
    await db.transaction().execute(async (transaction) => {
      const [row] = await deleteRows(transaction, "stored_file", { id })
      if (row) await giveSpace(transaction, row.workspace_id, row.bytes)
    })
  }
}

/** Removes what nothing has referred to for an hour. Throws StorageError; the next purge goes on. */
async function purgeFiles(store: FileStore, signal: AbortSignal): Promise<void> {
  const { db, clock } = store
  const old = () =>
    db.selectFrom("stored_file").where("id", "<", firstIdAt("file", clock.now() - unclaimedMs))
  const keyAt = async (after: string | undefined, offset: number) =>
    (
      await old()
        .select("id")
        .where("id", ">", after ?? "")
        .orderBy("id")
        .offset(offset)
        .limit(1)
        .executeTakeFirst()
    )?.id
  const unused: string[] = []
  for await (const { after = "", last } of inPortions(db, keyAt)) {
    const rows = await old()
      .select("id")
      .where("id", ">", after)
      .$if(last !== undefined, (files) => files.where("id", "<=", last as string))
      .where(isUnused)
      .execute()
    unused.push(...idsOf(rows))
  }
  for (const id of unused) await removeFiles(store, [id], signal)
}

/**
 * Files of one workspace, in the transaction that refers to them: none is removed before it ends. Throws Refusal
 * `unavailable` when one is not there, or not any more.
 */
export async function claimFiles(transaction: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const rows = await withIds(transaction, ids)
    .where("hash", "!=", "")
    .where("removed_at", "is", null)
    .orderBy("id")
    .$call(lockingRows(transaction))
    .execute()
  if (rows.length < ids.length) throw new Refusal("unavailable", detail("storage.fileGone"))
}

/** Those of these files that are there, in the order of their ids. */
export async function findFiles(db: Db, ids: readonly string[]): Promise<StoredFile[]> {
  if (ids.length === 0) return []
  const rows = await withIds(db, ids).where("hash", "!=", "").orderBy("id").execute()
  return rows.map(storedFile)
}

function withIds(db: Db, ids: readonly string[]) {
  return db.selectFrom("stored_file").selectAll().where("id", "in", ids)
}

function storedFile({ removed_at, ...row }: Row<"stored_file">): StoredFile {
  return camelNames(row)
}

/** No row of another table refers to the file. */
function isUnused() {
  const referring = belongingsOf("stored_file").filter(({ table }) => table !== "stored_file_part")
  const conditions = referring.map(
    ({ table, column }) =>
      sql`NOT EXISTS (SELECT 1 FROM ${sql.table(table)} WHERE ${sql.ref(`${table}.${column}`)} = stored_file.id)`,
  )
  return sql<boolean>`${sql.join(conditions, sql` AND `)}`
}
