import { type Clock, dayMs } from "../../base/clock.ts"
import { detail, required } from "../../base/errors.ts"
import { isSameSecret } from "../../base/hash.ts"
import { idsOf } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { findRow, insertRows } from "../../db/store.ts"
import type { Vault } from "../../db/vault.ts"
import { claimFiles, type Files, findFiles, type StoredFile } from "../../storage/files.ts"
import { StorageError } from "../../storage/object-store.ts"
import { openContent } from "../../storage/open-content.ts"
import { hasPart } from "../definition/field-types.ts"
import type { Form } from "../definition/form.ts"

export interface ResponseFile extends Pick<StoredFile, "id" | "mediaType" | "bytes"> {
  field: string
  name: string
}

/** A file about to be sent. Its first bytes are read, which proves that it is there. */
export interface OpenFile extends ResponseFile {
  content: AsyncGenerator<Uint8Array>
}

/** As long as the log has the message that names it, and may send it again. */
const linkValidMs = 30 * dayMs

/** Refers to the files of a new response, in its transaction; `first`: the place of the first of them. */
export async function insertFiles(
  transaction: Db,
  responseId: string,
  files: readonly Pick<ResponseFile, "id" | "field" | "name">[],
  first = 0,
): Promise<void> {
  if (files.length === 0) return
  await claimFiles(transaction, idsOf(files))
  const rows = files.map(({ id, field, name }, at) => ({
    file_id: id,
    response_id: responseId,
    field,
    place: first + at,
    name,
  }))
  await insertRows(transaction, "form_response_file", rows)
}

/** Adds a file to a response that is there: one that was handed over. */
export async function addFile(
  { db, files }: { db: Db; files: Files },
  { workspaceId, responseId, place }: { workspaceId: string; responseId: string; place: number },
  { field, name, ...file }: Pick<ResponseFile, "field" | "name" | "mediaType"> & { content: Uint8Array },
): Promise<void> {
  const { id } = await files.put({ workspaceId, ...file }, new AbortController().signal)
  await db
    .transaction()
    .execute((transaction) => insertFiles(transaction, responseId, [{ id, field, name }], place))
}

/** The files of these responses, in the order in which they came; nothing for a response without any. */
export async function filesOfResponses(
  db: Db,
  responseIds: readonly string[],
): Promise<Map<string, ResponseFile[]>> {
  if (responseIds.length === 0) return new Map()
  const rows = await db
    .selectFrom("form_response_file")
    .innerJoin("stored_file", "stored_file.id", "file_id")
    .select(["response_id", "field", "name", "id", "media_type as mediaType", "bytes"])
    .where("response_id", "in", responseIds)
    .orderBy("response_id")
    .orderBy("form_response_file.place")
    .execute()
  return new Map(
    Map.groupBy(rows, (row) => row.response_id)
      .entries()
      .map(([id, own]) => [id, own.map(({ response_id: _, ...file }) => file)]),
  )
}

/** Throws Refusal: `not_found` for a file of another response; `unavailable` while it cannot be read. */
export async function openResponseFile(
  { db, files }: { db: Db; files: Files },
  responseId: string,
  fileId: string,
  signal: AbortSignal,
): Promise<OpenFile> {
  const own = (await filesOfResponses(db, [responseId])).get(responseId) ?? []
  const file = required(
    own.find(({ id }) => id === fileId),
    detail("forms.unknownFile"),
  )
  return { ...file, content: await openContent(files, await stored(db, fileId), signal) }
}

/** The same for who has a link. Throws Refusal `not_found` where it is forged or expired, or the file is gone. */
export async function openLinkedFile(
  { db, files, vault, clock }: { db: Db; files: Files; vault: Vault; clock: Clock },
  token: string,
  signal: AbortSignal,
): Promise<OpenFile> {
  const [id = "", until = "", signature = ""] = token.split(".")
  const isGood = isSameSecret(signature, linkSignature(vault, id, until)) && Number(until) > clock.now()
  const file = isGood ? await findRow(db, "form_response_file", { file_id: id }) : undefined
  const { response_id } = required(file, detail("forms.fileLinkGone"))
  return openResponseFile({ db, files }, response_id, id, signal)
}

async function stored(db: Db, id: string): Promise<StoredFile> {
  const [file] = await findFiles(db, [id])
  return required(file, detail("forms.unknownFile"))
}

export function fileJson({ id, field, name, mediaType, bytes }: ResponseFile) {
  return { id, field, name, media_type: mediaType, bytes }
}

/**
 * The values as a message holds them: in place of the names, a link to each file, one a line. They are good for as long
 * as the message is kept. A file that was not kept has none.
 */
export function linkedValues(
  { vault, config }: { vault: Vault; config: { publicUrl: string } },
  { fields }: Pick<Form, "fields">,
  values: Record<string, string>,
  files: readonly ResponseFile[],
  nowMs: number,
): Record<string, string> {
  const until = String(nowMs + linkValidMs)
  const links = (field: string) =>
    files
      .filter((file) => file.field === field)
      .map(
        ({ id, name }) =>
          `${config.publicUrl}/files/${id}.${until}.${linkSignature(vault, id, until)}/${encodeURIComponent(name)}`,
      )
      .join("\n")
  const linked = fields.filter(({ type }) => hasPart(type, "files")).map(({ name }) => [name, links(name)])
  return { ...values, ...Object.fromEntries(linked) }
}

function linkSignature(vault: Vault, id: string, until: string): string {
  return vault.fingerprint(`${id}.${until}`, "file link")
}

/** Removes files that no response refers to any more; where the store is away, the purge does. */
export async function dropFiles({ files }: { files: Files }, ids: readonly string[]): Promise<void> {
  await files.remove(ids, new AbortController().signal).catch((error) => {
    if (!(error instanceof StorageError)) throw error
  })
}
