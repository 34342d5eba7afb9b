import type { Clock } from "../../../base/clock.ts"
import { type Detail, detail, hasCode, Refusal } from "../../../base/errors.ts"
import { idsOf, newId } from "../../../base/ids.ts"
import type { Db } from "../../../db/connection.ts"
import type { Row } from "../../../db/schema.ts"
import type { PageRequest } from "../../../db/search.ts"
import { deleteRows, insertMissing, insertRows, rowsOf } from "../../../db/store.ts"
import { withLock } from "../../../db/with-lock.ts"
import { claimFiles, type Files, findFiles, type StoredFile } from "../../../storage/files.ts"
import { notKept } from "../../formats/document.ts"
import { fileLimits } from "../../formats/file-kind.ts"
import type { FeedBase } from "../kind.ts"
import { uploadName } from "./file-name.ts"
import { documentType, readableExtensions } from "./media-type.ts"
import {
  type FileLeftOut,
  fault,
  fileTooLarge,
  isZip,
  noContents,
  readZipDirectory,
  refused,
  unzipFile,
  wrong,
  type ZipContents,
} from "./zip.ts"

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

/** Files that were sent, as they are kept; what was left out of ZIPs among them, by `<ZIP>/<name>`. */
interface Sent {
  items: Upload[]
  leftOut: FileLeftOut[]
  /** Number of files of ZIPs that are no documents. */
  others: number
}

/** Names of what a sending left out that are told: faults come before files that are no documents. */
const maxLeftOut = 200

/**
 * Stores files under their names, in place of earlier ones; the files of a ZIP, and of a ZIP in it, are stored as if
 * they came alone. All or none, but for files of a ZIP that cannot be kept: each costs itself. Throws Refusal
 * `invalid_request` for what cannot be kept, `conflict` for too many, and as `Files.put` does.
 */
export async function addUploads(
  { db, clock, files }: UploadDeps,
  { workspaceId, feed }: { workspaceId: string; feed: Pick<FeedBase, "id" | "projectId"> },
  given: readonly GivenFile[],
  signal: AbortSignal,
): Promise<Sent> {
  const stored = new Map<string, StoredFile>()
  const sent = { leftOut: [] as FileLeftOut[], others: 0 }
  const archives: string[] = []
  const alone: string[] = []

  /** Why it is not kept, if it is not. */
  async function keep(name: string, content: Uint8Array): Promise<Detail | undefined> {
    const mediaType = documentType(name, content)
    if (!mediaType) return fault("uploadKind", { name, choices: readableExtensions })
    if (stored.has(name)) return fault("zipTwice", { name })
    stored.set(name, await files.put({ workspaceId, mediaType, content }, signal))
    return undefined
  }

  async function keepFilesOf(zip: Buffer, archive: string, sum: ZipContents, outer?: string): Promise<void> {
    const directory = readZipDirectory(zip, sum, outer)
    sent.others += directory.others
    const leave = (name: string, why: Detail) => sent.leftOut.push({ name: `${archive}/${name}`, why })
    for (const { name, why } of directory.leftOut) leave(name, why)
    for (const file of directory.files) {
      const content = await unzipFile(zip, file, signal)
      const why = !Buffer.isBuffer(content)
        ? content
        : file.isZip
          ? await keepInner(content, archive, sum, file.name)
          : await keep(file.name, content)
      if (why) leave(file.name, why)
    }
  }

  async function keepInner(...zip: [Buffer, string, ZipContents, string]): Promise<Detail | undefined> {
    try {
      await keepFilesOf(...zip)
    } catch (error) {
      const damaged = fault("zipDamaged")
      if (hasCode(error, damaged.code)) return damaged
      throw error
    }
    return undefined
  }

  try {
    for (const { name: givenName, content } of given) {
      const name = uploadName(givenName)
      if (name === undefined) throw wrong("zipName", { name: givenName.slice(0, 80) })
      if (isZip(name)) {
        const before = stored.size
        const zip = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
        await keepFilesOf(zip, name, noContents())
        const fault = sent.leftOut.find(({ name: each, why }) => each.startsWith(`${name}/`) && isFault(why))
        if (stored.size === before) throw fault ? refused(fault.why) : wrong("zipEmpty")
        archives.push(name)
      } else {
        if (content.length > fileLimits.documentBytes) throw fileTooLarge(name)
        const why = await keep(name, content)
        if (why) throw refused(why)
        alone.push(name)
      }
    }
    const leftOut = sent.leftOut
      .toSorted((one, other) => Number(isFault(other.why)) - Number(isFault(one.why)))
      .slice(0, maxLeftOut)
    const { items, replaced } = await withLock(db, `feeds:${feed.projectId}`, async (transaction) => {
      await tellLeftOut(transaction, feed.id, { archives, alone, leftOut, names: [...stored.keys()] })
      return insertUploads(transaction, feed.id, stored, clock.now())
    })
    // The purge removes what is left.
    await files.remove(replaced, signal).catch(() => {})
    return { items, leftOut, others: sent.others }
  } catch (error) {
    const ids = idsOf([...stored.values()])
    await files.remove(ids, AbortSignal.timeout(10_000)).catch(() => {})
    throw error
  }
}

/** Whether a document is lost; others are pictures and the like. */
function isFault({ code }: Detail): boolean {
  return code !== fault("zipKind").code
}

/** Tells what the archives lack among the pages that were left out, until they or the files come again. */
async function tellLeftOut(
  transaction: Db,
  feedId: string,
  {
    archives,
    alone,
    names,
    leftOut,
  }: Record<"archives" | "alone" | "names", readonly string[]> & {
    leftOut: readonly FileLeftOut[]
  },
): Promise<void> {
  const told = { feed_id: feedId, reason: notKept } as const
  const rows = await lackingFiles(transaction, feedId)
  const kept = new Set(names)
  const keptAlone = new Set(alone)
  const isSettled = (page: string) =>
    archives.some((archive) => page.startsWith(`${archive}/`)) ||
    kept.has(page.slice(page.indexOf("/") + 1)) ||
    // A file that is sent by itself has no folder.
    [...page.matchAll(/\//g)].some(({ index }) => keptAlone.has(page.slice(index + 1)))
  const settled = rows.map(({ page }) => page).filter(isSettled)
  for (let at = 0; at < settled.length; at += 500)
    await deleteRows(transaction, "left_out_page", { ...told, page: settled.slice(at, at + 500) })
  const fresh = leftOut
    .filter(({ name, why }) => isFault(why) || !isPicture(name))
    .slice(0, Math.max(0, maxUploads - rows.length + settled.length))
    .map(({ name: page, why: { code, params = {} } }) => {
      return { ...told, page, detail: null, detail_code: code, detail_params: JSON.stringify(params) }
    })
  if (fresh.length > 0) await insertMissing(transaction, "left_out_page", fresh)
}

/** A page needs its pictures, its styles and its fonts, and no reader misses them. */
function isPicture(name: string): boolean {
  return /\.(?:avif|bmp|css|eot|gif|ico|jpe?g|m?js|map|otf|png|svg|ttf|webp|woff2?)$/i.test(name)
}

function lackingFiles(db: Db, feedId: string) {
  const rows = db.selectFrom("left_out_page").selectAll().orderBy("page")
  return rows.where("feed_id", "=", feedId).where("reason", "=", notKept).execute()
}

/** The files that ZIPs lack, for their owner. */
export async function listLeftOutFiles(db: Db, feedId: string): Promise<FileLeftOut[]> {
  const rows = await lackingFiles(db, feedId)
  return rows.map(({ page, detail_code, detail_params }) => ({
    name: page,
    why: { code: detail_code as string, params: JSON.parse(detail_params ?? "{}") },
  }))
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
