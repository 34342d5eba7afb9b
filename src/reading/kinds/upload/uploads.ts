import type { Clock } from "../../../base/clock.ts"
import { detail, Refusal } from "../../../base/errors.ts"
import { idsOf, newId } from "../../../base/ids.ts"
import type { Db } from "../../../db/connection.ts"
import type { Row } from "../../../db/schema.ts"
import type { PageRequest } from "../../../db/search.ts"
import { deleteRows, insertRows, rowsOf } from "../../../db/store.ts"
import { withLock } from "../../../db/with-lock.ts"
import { claimFiles, type Files, findFiles, type StoredFile } from "../../../storage/files.ts"
import { fileLimits } from "../../formats/file-kind.ts"
import type { FeedBase } from "../kind.ts"
import { uploadName } from "./file-name.ts"
import { documentType, readableExtensions } from "./media-type.ts"
import { fileTooLarge, readZipDirectory, unzipFile, wrong } from "./zip.ts"

/** A file that an owner has uploaded to a feed. */
export interface Upload {
  /** Stays when another file takes its name: where Guichet serves it, its address has it. */
  id: string
  feedId: string
  name: string
  file: StoredFile
}

/** A file as a face read it. */
export interface GivenFile {
  name: string
  content: Uint8Array
}

export interface UploadDeps {
  db: Db
  clock: Clock
  files: Files
}

/** Files of one feed. */
export const maxUploads = 2000

/**
 * Stores files under their names, in place of earlier ones; the files of a ZIP are stored as if they came alone.
 * All or none. Resolves to them, and to the number of files of ZIPs that are no documents. Throws Refusal
 * `invalid_request` for what cannot be kept, `conflict` for too many, and as `Files.put` does.
 */
export async function addUploads(
  { db, clock, files }: UploadDeps,
  { workspaceId, feed }: { workspaceId: string; feed: Pick<FeedBase, "id" | "projectId"> },
  given: readonly GivenFile[],
  signal: AbortSignal,
): Promise<{ items: Upload[]; others: number }> {
  const stored = new Map<string, StoredFile>()
  let others = 0

  async function keep(name: string, content: Uint8Array): Promise<void> {
    const mediaType = documentType(name, content)
    if (!mediaType) throw wrong("uploadKind", { name, choices: readableExtensions })
    if (stored.has(name)) throw wrong("zipTwice", { name })
    stored.set(name, await files.put({ workspaceId, mediaType, content }, signal))
  }

  try {
    for (const { name: givenName, content } of given) {
      const name = uploadName(givenName)
      if (name === undefined) throw wrong("zipName", { name: givenName.slice(0, 80) })
      if (/\.zip$/i.test(name)) {
        const zip = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
        const directory = readZipDirectory(zip)
        others += directory.others
        for (const file of directory.files) await keep(file.name, await unzipFile(zip, file, signal))
      } else {
        if (content.length > fileLimits.documentBytes) throw fileTooLarge(name)
        await keep(name, content)
      }
    }
    const { items, replaced } = await withLock(db, `feeds:${feed.projectId}`, (transaction) =>
      insertUploads(transaction, feed.id, stored, clock.now()),
    )
    // The purge removes what is left.
    await files.remove(replaced, signal).catch(() => {})
    return { items, others }
  } catch (error) {
    const ids = idsOf([...stored.values()])
    await files.remove(ids, AbortSignal.timeout(10_000)).catch(() => {})
    throw error
  }
}

async function insertUploads(
  transaction: Db,
  feedId: string,
  files: ReadonlyMap<string, StoredFile>,
  nowMs: number,
): Promise<{ items: Upload[]; replaced: string[] }> {
  await claimFiles(transaction, idsOf([...files.values()]))
  const rows = await rowsOf(transaction, "upload", { feed_id: feedId })
  const before = new Map(rows.map((row) => [row.name, row]))
  const fresh = [...files.keys()].filter((name) => !before.has(name))
  if (rows.length + fresh.length > maxUploads)
    throw new Refusal("conflict", detail("assistant.tooManyUploads", { maximum: maxUploads }))
  const items = [...files].map(([name, file]) => ({
    id: before.get(name)?.id ?? newId("upl", nowMs),
    feedId,
    name,
    file,
  }))
  const replaced = items.flatMap(({ name }) => before.get(name) ?? [])
  await deleteRows(transaction, "upload", { id: idsOf(replaced) })
  await insertRows(
    transaction,
    "upload",
    items.map(({ id, name, file }) => ({ id, feed_id: feedId, file_id: file.id, name })),
  )
  return { items, replaced: replaced.map(({ file_id }) => file_id) }
}

/** Throws Refusal `not_found`. */
export async function removeUpload(
  { db, files }: Pick<UploadDeps, "db" | "files">,
  feedId: string,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const [row] = await deleteRows(db, "upload", { id, feed_id: feedId })
  if (!row) throw new Refusal("not_found", detail("assistant.uploadNotFound"))
  await files.remove([row.file_id], signal).catch(() => {})
}

/** A feed's uploads, newest first: a part of them, or all. */
export async function listUploads(db: Db, feedId: string, part?: PageRequest): Promise<Upload[]> {
  return withFiles(db, await rowsOf(db, "upload", { feed_id: feedId }, part))
}

/** Where Guichet serves it: its link alone opens it. */
export async function findServedUpload(db: Db, id: string): Promise<Upload | undefined> {
  const rows = await db
    .selectFrom("upload")
    .innerJoin("feed", "feed.id", "upload.feed_id")
    .selectAll("upload")
    .where("upload.id", "=", id)
    .where("feed.address", "=", servedAddress)
    .execute()
  return (await withFiles(db, rows))[0]
}

/** The address of a feed whose files Guichet serves. */
export const servedAddress = "uploads"

/** The address that sources link to. */
export function uploadUrl(
  publicUrl: string,
  feedAddress: string,
  { id, name }: Pick<Upload, "id" | "name">,
): string {
  const path = name.split("/").map(encodeURIComponent).join("/")
  if (feedAddress !== servedAddress)
    return `${feedAddress.endsWith("/") ? feedAddress : `${feedAddress}/`}${path}`
  return `${publicUrl}/uploads/${id}/${encodeURIComponent(name.split("/").at(-1) as string)}`
}

async function withFiles(db: Db, rows: readonly Row<"upload">[]): Promise<Upload[]> {
  const ids = rows.map(({ file_id }) => file_id)
  const files = new Map((await findFiles(db, ids)).map((file) => [file.id, file]))
  return rows.flatMap(({ id, feed_id: feedId, file_id, name }) => {
    const file = files.get(file_id)
    return file ? [{ id, feedId, name, file }] : []
  })
}
