import { isoTime } from "../../base/clock.ts"
import { idsOf } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { bytesOf } from "../../db/delete-in-steps.ts"
import { rowsOfPage } from "../../db/search.ts"
import { type Files, findFiles } from "../../storage/files.ts"
import { addressKeys } from "../definition/address.ts"
import { noteJson, notesByResponse } from "./follow-up.ts"
import {
  describeResponse,
  type FormResponse,
  formResponse,
  type ResponseData,
  type ResponseState,
} from "./form-response.ts"
import { fileJson, filesOfResponses } from "./response-files.ts"

/** One stored response of a person: the `data` that endpoints receive, and the rest that is stored. */
export interface PersonalResponse extends ResponseData {
  state: ResponseState
  consent_confirmed_at: string | null
  /** The answer that the person had read before writing. */
  answer_id: string | null
  /** The question that it answered, as the person had asked it; null when it is no longer kept. */
  question: string | null
  progress: FormResponse["progress"]
  assignee: string | null
  notes: { id: string; author: string; text: string; created_at: string }[]
  files: PersonalFile[]
}

export type PersonalFile = ReturnType<typeof fileJson> & {
  /** In base64, where it was asked for. */
  content?: string
}

/** The texts of the questions that a project still has, by the ids of their answers. */
type QuestionsOf = (db: Db, projectId: string, answerIds: readonly string[]) => Promise<Map<string, string>>

/** The workspaces that have a response with this e-mail address, however it was written. */
export async function workspacesOfAddress(db: Db, address: string): Promise<string[]> {
  const rows = await withAddress(db, address).select("project.workspace_id").distinct().execute()
  return rows.map(({ workspace_id }) => workspace_id)
}

interface PersonScope {
  /** Every workspace without it. */
  workspaceId?: string | undefined
  /** Those of removed forms, which are about to be erased, are among them. */
  inRemoved?: boolean
}

/** Addresses whose responses are looked for in one statement. */
const portion = 500

/** Ids of the responses that contain this e-mail address, however it was written, oldest first. */
export async function responseIdsOfAddress(
  db: Db,
  address: string,
  { workspaceId, inRemoved = false }: PersonScope = {},
): Promise<string[]> {
  const ids = new Set<string>()
  for (const key of new Set(addressKeys(address)))
    for (let after: string | undefined = ""; after !== undefined; ) {
      const rows = await db
        .selectFrom("form_response_address")
        .innerJoin("form_response", "form_response.id", "response_id")
        .innerJoin("form", "form.id", "form_id")
        .innerJoin("project", "project.id", "project_id")
        .select(["response_id as id", "removed_at", "workspace_id"])
        .where("address", "=", key)
        .where("response_id", ">", after)
        .orderBy("response_id")
        .limit(portion)
        .execute()
      for (const { id, removed_at, workspace_id } of rows)
        if ((inRemoved || removed_at === null) && (workspaceId ?? workspace_id) === workspace_id) ids.add(id)
      after = rows.length === portion ? rows.at(-1)?.id : undefined
    }
  return [...ids].sort()
}

/** The responses that contain this e-mail address, with their forms and projects. */
export function withAddress(db: Db, address: string) {
  return db
    .selectFrom("form_response_address")
    .innerJoin("form_response", "form_response.id", "form_response_address.response_id")
    .innerJoin("form", "form.id", "form_response.form_id")
    .innerJoin("project", "project.id", "form.project_id")
    .where("address", "in", addressKeys(address))
}

/**
 * These responses as they are read, in the order of their ids, with the contents of their files where these are given.
 * `questionsOf` knows what was asked before.
 */
export async function* personalResponses(
  db: Db,
  ids: readonly string[],
  questionsOf: QuestionsOf,
  files?: Files,
): AsyncGenerator<PersonalResponse> {
  for (let from = 0; from < ids.length; ) {
    const sized = await db
      .selectFrom("form_response")
      .select(["id", bytesOf("field_values").as("bytes")])
      .where("id", "in", ids.slice(from, from + read))
      .orderBy("id")
      .execute()
    const pageIds = sized.slice(0, rowsOfPage(sized, read)).map(({ id }) => id)
    if (pageIds.length > 0)
      for (const response of await readPersonalResponses(db, pageIds, questionsOf))
        yield files ? { ...response, files: await withContents(db, files, response.files) } : response
    // Skips responses that were erased meanwhile.
    from = pageIds.length < sized.length ? ids.indexOf(pageIds.at(-1) as string, from) + 1 : from + read
  }
}

/** Responses that are read together, unless they are long. */
const read = 100

async function readPersonalResponses(db: Db, ids: readonly string[], questionsOf: QuestionsOf) {
  const rows = await db
    .selectFrom("form_response")
    .innerJoin("form", "form.id", "form_id")
    .selectAll("form_response")
    .select(["form.public_id", "form.name", "form.project_id"])
    .where("form_response.id", "in", ids)
    .orderBy("form_response.id")
    .execute()
  const questions = new Map<string, string>()
  for (const [projectId, own] of Map.groupBy(rows, (row) => row.project_id)) {
    const answerIds = own.flatMap(({ answer_id }) => answer_id ?? [])
    for (const [id, question] of await questionsOf(db, projectId, answerIds)) questions.set(id, question)
  }
  const notes = await notesByResponse(db, ids)
  const files = await filesOfResponses(db, ids)
  return rows.map(({ public_id, name, project_id, ...row }) => {
    const response = formResponse(row)
    const { answerId } = response
    const confirmedAt = response.consent?.confirmedAt ?? null
    return {
      ...describeResponse({ id: row.form_id, publicId: public_id, name }, response),
      state: response.state,
      consent_confirmed_at: confirmedAt === null ? null : isoTime(confirmedAt),
      answer_id: answerId,
      progress: response.progress,
      assignee: response.assignee,
      notes: (notes.get(response.id) ?? []).map(noteJson),
      files: (files.get(response.id) ?? []).map(fileJson),
      question: (answerId === null ? undefined : questions.get(answerId)) ?? null,
    }
  })
}

/** One response at a time: its files may have as much as a post. Throws StorageError while they cannot be read. */
async function withContents(db: Db, files: Files, own: readonly PersonalFile[]): Promise<PersonalFile[]> {
  const { signal } = new AbortController()
  const stored = await findFiles(db, idsOf(own))
  const withContent: PersonalFile[] = []
  for (const file of own) {
    const of = stored.find(({ id }) => id === file.id)
    const chunks = of ? await Array.fromAsync(files.content(of, signal)) : []
    withContent.push({ ...file, content: Buffer.concat(chunks).toString("base64") })
  }
  return withContent
}
