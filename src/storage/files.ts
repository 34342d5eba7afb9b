import { sql } from "kysely"
import { type Clock, hourMs } from "../base/clock.ts"
import { detail, Refusal } from "../base/errors.ts"
import { firstIdAt, newId } from "../base/ids.ts"
import { camelNames } from "../base/names.ts"
import type { Config } from "../config/config.ts"
import type { Db } from "../db/connection.ts"
import { inPortions } from "../db/portions.ts"
import { belongingsOf, type Row } from "../db/schema.ts"
import { insertRows } from "../db/store.ts"
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
  /** Longer content is refused. That much is held free in the workspace meanwhile. */
  maxBytes: number
}

/** Files that came from outside, in the database or in the object store of the settings. */
export interface Files {
  /**
   * Stores content as it comes, within the hour. The file is gone an hour later unless a transaction has referred to
   * it, which calls `claimFiles`. Throws Refusal `quota_exceeded` where the workspace has no room for it,
   * `invalid_request` for content that is too long, and StorageError.
   */
  put(
    file: NewFile,
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<StoredFile>
  /**
   * The content, which ends only where all of it was right. Throws StorageError while it is read, when some of it is
   * missing or damaged, or the store cannot be used.
   */
  content(file: StoredFile, signal: AbortSignal): AsyncGenerator<Uint8Array>
  /** Removes those of these files that nothing refers to. Throws StorageError: the purge removes what is left. */
  remove(ids: readonly string[], signal: AbortSignal): Promise<void>
  /** Removes what nothing has referred to for an hour. Throws StorageError; the next purge goes on. */
  purge(signal: AbortSignal): Promise<void>
}

/** Time in which a new file is referred to. */
const unclaimedMs = hourMs

export function openFiles(config: Config, db: Db, clock: Clock): Files {
  const places = openFilePlaces(config, db)
  const quotaBytes = config.storage.filesPerWorkspaceBytes

  function partsIn(place: FilePlace): FileParts {
    const parts = places[place]
    if (!parts) throw new StorageError("files are in an object store that is not set any more")
    return parts
  }

  async function removeMarked(ids: readonly string[], signal: AbortSignal): Promise<void> {
    for (const { id, bytes, place, part_bytes } of await withIds(db, ids)
      .where("removed_at", "is not", null)
      .execute()) {
      await partsIn(place).remove(id, Math.ceil(bytes / part_bytes), signal)
      await db.transaction().execute(async (transaction) => {
        const [row] = await transaction
          .deleteFrom("stored_file")
          .where("id", "=", id)
          .returningAll()
          .execute()
        if (row) await giveSpace(transaction, row.workspace_id, row.bytes)
      })
    }
  }

  async function remove(ids: readonly string[], signal: AbortSignal): Promise<void> {
    if (ids.length === 0) return
    await db.transaction().execute(async (transaction) => {
      // Who refers to one of them at this moment is waited for, and seen.
      const found = await withIds(transaction, ids).orderBy("id").$call(lockingRows(transaction)).execute()
      if (found.length === 0) return
      await transaction
        .updateTable("stored_file")
        .set({ removed_at: clock.now() })
        .where(
          "id",
          "in",
          found.map(({ id }) => id),
        )
        .where(isUnused)
        .execute()
    })
    await removeMarked(ids, signal)
  }

  return {
    async put({ workspaceId, mediaType, maxBytes }, content, signal) {
      const place = places.s3 ? "s3" : "database"
      const { partBytes, put } = partsIn(place)
      const createdAt = clock.now()
      const row = {
        id: newId("file", createdAt),
        workspace_id: workspaceId,
        bytes: maxBytes,
        media_type: mediaType,
        hash: "",
        place,
        part_bytes: partBytes,
        created_at: createdAt,
        removed_at: null,
      } satisfies Row<"stored_file">
      await db.transaction().execute(async (transaction) => {
        await takeSpace(transaction, workspaceId, maxBytes, quotaBytes)
        await insertRows(transaction, "stored_file", row)
      })
      try {
        const hasher = new Bun.CryptoHasher("sha256")
        // Ends well before a purge: a part that comes after it would stay for good.
        const limited = AbortSignal.any([signal, AbortSignal.timeout(unclaimedMs / 2)])
        let [bytes, number] = [0, 0]
        for await (const part of partsOf(content, partBytes)) {
          limited.throwIfAborted()
          bytes += part.length
          if (bytes > maxBytes) throw tooLarge(maxBytes)
          hasher.update(part)
          await put(row.id, number++, part, limited)
        }
        const stored = { ...row, bytes, hash: hasher.digest("base64url") }
        await db.transaction().execute(async (transaction) => {
          const { numUpdatedRows } = await transaction
            .updateTable("stored_file")
            .set({ bytes, hash: stored.hash })
            .where("id", "=", row.id)
            .where("removed_at", "is", null)
            .executeTakeFirst()
          if (numUpdatedRows === 0n) throw new StorageError("a file took too long to come")
          await giveSpace(transaction, workspaceId, maxBytes)
          // Held free above: no quota stops it.
          await takeSpace(transaction, workspaceId, bytes, Number.MAX_SAFE_INTEGER)
        })
        return storedFile(stored)
      } catch (error) {
        // Later where it cannot be now: the error is the one to tell.
        await remove([row.id], AbortSignal.timeout(unclaimedMs)).catch(() => {})
        throw error
      }
    },

    async *content({ id, bytes, hash, place, partBytes }, signal) {
      const { get } = partsIn(place)
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
    },

    remove,

    async purge(signal) {
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
        unused.push(...rows.map(({ id }) => id))
      }
      for (const id of unused) await remove([id], signal)
    },
  }
}

/**
 * Files of one workspace, in the transaction that refers to them: none is removed before it ends. Throws Refusal
 * `unavailable` when one is not there, or not any more.
 */
export async function claimFiles(transaction: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const found = await withIds(transaction, ids)
    .where("hash", "!=", "")
    .where("removed_at", "is", null)
    .orderBy("id")
    .$call(lockingRows(transaction))
    .execute()
  if (found.length < ids.length) throw new Refusal("unavailable", detail("storage.fileGone"))
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

function tooLarge(most: number): Refusal {
  return new Refusal("invalid_request", detail("storage.fileTooLarge", { megabytes: most / 1024 ** 2 }))
}

/** Content in pieces of one size; the last one is shorter. */
async function* partsOf(
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array> {
  let part = Buffer.allocUnsafe(size)
  let filled = 0
  for await (const chunk of content)
    for (let at = 0; at < chunk.length; ) {
      const taken = chunk.subarray(at, at + size - filled)
      part.set(taken, filled)
      at += taken.length
      filled += taken.length
      if (filled < size) continue
      yield part
      part = Buffer.allocUnsafe(size)
      filled = 0
    }
  if (filled > 0) yield part.subarray(0, filled)
}
