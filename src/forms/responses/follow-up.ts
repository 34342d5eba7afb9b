import { isoTime } from "../../base/clock.ts"
import { detail, Refusal, required, requireRoom } from "../../base/errors.ts"
import { idsOf, newId } from "../../base/ids.ts"
import { camelNames } from "../../base/names.ts"
import type { Db } from "../../db/connection.ts"
import type { Row } from "../../db/schema.ts"
import { changeRows, countOf, deleteRows, findRow, insertRows } from "../../db/store.ts"
import { lockingRows } from "../../db/words.ts"
import type { Caller } from "../../operations/operation.ts"
import { covers, roleScopes } from "../../operations/scope.ts"
import type { FormResponse } from "./form-response.ts"
import { filesOfResponses, type ResponseFile } from "./response-files.ts"

export const progressStates = ["todo", "doing", "done"] as const
export type Progress = (typeof progressStates)[number]

/** Part of a response, and erased with it. */
export interface Note {
  id: string
  responseId: string
  author: string
  note: string
  createdAt: number
}

/** A response with its files, and what its workspace noted about it. */
export interface FollowedResponse extends FormResponse {
  notes: Note[]
  files: ResponseFile[]
}

/** Erasing a response erases them in one turn. */
export const maxNotes = 50
export const maxNoteLength = 2000

interface FollowUp {
  progress?: Progress
  assignee?: string | null
}

/**
 * Throws Refusal `invalid_request` where the assignee is no member of the workspace. A member who is leaving leaves
 * after this transaction, so that `unassign` finds what it wrote.
 */
export async function changeFollowUp(
  transaction: Db,
  workspaceId: string,
  id: string,
  { progress, assignee }: FollowUp,
): Promise<void> {
  if (assignee && !(await isMember(transaction, workspaceId, assignee))) {
    const fault = detail("forms.unknownAssignee")
    throw new Refusal("invalid_request", fault, { fields: { assignee: fault } })
  }
  const change = { ...(progress && { progress }), ...(assignee !== undefined && { assignee }) }
  if (Object.keys(change).length > 0) await changeRows(transaction, "form_response", { id }, change)
}

async function isMember(transaction: Db, workspaceId: string, operatorId: string): Promise<boolean> {
  const member = await transaction
    .selectFrom("member")
    .select("operator_id")
    .where("workspace_id", "=", workspaceId)
    .where("operator_id", "=", operatorId)
    .$call(lockingRows(transaction))
    .executeTakeFirst()
  return member !== undefined
}

/** Throws Refusal `conflict` beyond `maxNotes`. The caller holds the lock of the response's form. */
export async function insertNote(
  transaction: Db,
  { responseId, author, note }: Pick<Note, "responseId" | "author" | "note">,
  nowMs: number,
): Promise<void> {
  const count = await countOf(transaction, "form_response_note", { response_id: responseId })
  requireRoom(count, maxNotes, "forms.tooManyNotes")
  await insertRows(transaction, "form_response_note", {
    id: newId("note", nowMs),
    response_id: responseId,
    author,
    note,
    created_at: nowMs,
  })
}

/** Whether a caller may erase a note: its author and owners may. */
export function mayErase({ author }: Pick<Note, "author">, { name, held }: Pick<Caller, "name" | "held">) {
  return author === name || covers(held, roleScopes("owner"))
}

/** Throws Refusal: `not_found` for a note of another response; `forbidden` as `mayErase` says. */
export async function deleteNote(
  db: Db,
  { responseId, id }: Pick<Note, "responseId" | "id">,
  caller: Pick<Caller, "name" | "held">,
): Promise<void> {
  const note = required(
    await findRow(db, "form_response_note", { response_id: responseId, id }),
    detail("forms.unknownNote"),
  )
  if (!mayErase(note, caller)) throw new Refusal("forbidden", detail("forms.noteOfAnother"))
  await deleteRows(db, "form_response_note", { id })
}

/** Their files, and their notes, oldest first. */
export async function withNotes(db: Db, responses: readonly FormResponse[]): Promise<FollowedResponse[]> {
  const ids = idsOf(responses)
  const [notes, files] = [await notesByResponse(db, ids), await filesOfResponses(db, ids)]
  return responses.map((response) => ({
    ...response,
    notes: notes.get(response.id) ?? [],
    files: files.get(response.id) ?? [],
  }))
}

export async function notesByResponse(db: Db, responseIds: readonly string[]): Promise<Map<string, Note[]>> {
  if (responseIds.length === 0) return new Map()
  const rows = await db
    .selectFrom("form_response_note")
    .selectAll()
    .where("response_id", "in", responseIds)
    .orderBy("response_id")
    .orderBy("id")
    .execute()
  return Map.groupBy(rows.map(noteOfRow), ({ responseId }) => responseId)
}

export function noteJson({ id, author, note, createdAt }: Note) {
  return { id, author, text: note, created_at: isoTime(createdAt) }
}

function noteOfRow(row: Row<"form_response_note">): Note {
  return camelNames(row)
}
