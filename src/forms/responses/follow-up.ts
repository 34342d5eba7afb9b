import { listMembers } from "../../accounts/operator.ts"
import { isoTime } from "../../base/clock.ts"
import { detail, Refusal, required, requireRoom } from "../../base/errors.ts"
import { idsOf, newId } from "../../base/ids.ts"
import { camelNames } from "../../base/names.ts"
import type { Db } from "../../db/connection.ts"
import type { Row } from "../../db/schema.ts"
import { changeRows, countOf, deleteRows, insertRows } from "../../db/store.ts"
import type { FormResponse } from "./form-response.ts"
import { filesOfResponses, type ResponseFile } from "./response-files.ts"

export const progressStates = ["todo", "doing", "done"] as const
export type Progress = (typeof progressStates)[number]

/** Part of a response, and erased with it. */
export interface Note {
  id: string
  responseId: string
  /** Name of the operator or token at the time. */
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
  /** Id of a member of the workspace. */
  assignee?: string | null
}

/** Throws Refusal `invalid_request` for somebody who is no member of the workspace. */
export async function changeFollowUp(
  transaction: Db,
  workspaceId: string,
  id: string,
  { progress, assignee }: FollowUp,
): Promise<void> {
  if (assignee && !(await listMembers(transaction, workspaceId)).some((member) => member.id === assignee)) {
    const told = detail("forms.unknownAssignee")
    throw new Refusal("invalid_request", told, { fields: { assignee: told } })
  }
  const change = { ...(progress && { progress }), ...(assignee !== undefined && { assignee }) }
  if (Object.keys(change).length > 0) await changeRows(transaction, "form_response", { id }, change)
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

/** Throws Refusal `not_found` for a note of another response. */
export async function deleteNote(db: Db, responseId: string, id: string): Promise<void> {
  const [removed] = await deleteRows(db, "form_response_note", { response_id: responseId, id })
  required(removed, detail("forms.unknownNote"))
}

/** Their files, and their notes, oldest first. */
export async function withNotes(db: Db, responses: readonly FormResponse[]): Promise<FollowedResponse[]> {
  const ids = idsOf(responses)
  const [notes, files] = [await notesOf(db, ids), await filesOfResponses(db, ids)]
  return responses.map((response) => ({
    ...response,
    notes: notes.get(response.id) ?? [],
    files: files.get(response.id) ?? [],
  }))
}

export async function notesOf(db: Db, responseIds: readonly string[]): Promise<Map<string, Note[]>> {
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
