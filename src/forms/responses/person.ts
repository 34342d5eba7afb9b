import { isoTime } from "../../base/clock.ts"
import type { Db } from "../../db/connection.ts"
import { addressKeys } from "../definition/address.ts"
import { findForm } from "../definition/form.ts"
import { dataOf, formResponse, type ResponseData, type ResponseState } from "./form-response.ts"

/** One stored response of a person: the `data` that endpoints receive, and the rest that is stored. */
export interface PersonalResponse extends ResponseData {
  state: ResponseState
  consent_confirmed_at: string | null
  /** The answer that the person had read before writing. */
  answer_id: string | null
  /** The question that it answered, as the person had asked it; null when it is no longer kept. */
  question: string | null
}

/** The texts of the questions that a project still has, by the ids of their answers. */
type QuestionsOf = (db: Db, projectId: string, answerIds: readonly string[]) => Promise<Map<string, string>>

/** The workspaces that have a response with this e-mail address, however it was written. */
export async function workspacesOfAddress(db: Db, address: string): Promise<string[]> {
  const rows = await withAddress(db, address).select("project.workspace_id").distinct().execute()
  return rows.map(({ workspace_id }) => workspace_id)
}

/** Ids of the responses with this e-mail address that an erasure in the workspace would take, in removed forms too. */
export async function responseIdsOfAddress(db: Db, address: string, workspaceId: string): Promise<string[]> {
  const rows = await withAddress(db, address)
    .select("form_response.id")
    .where("project.workspace_id", "=", workspaceId)
    .execute()
  return rows.map(({ id }) => id)
}

function withAddress(db: Db, address: string) {
  return db
    .selectFrom("form_response_address")
    .innerJoin("form_response", "form_response.id", "form_response_address.response_id")
    .innerJoin("form", "form.id", "form_response.form_id")
    .innerJoin("project", "project.id", "form.project_id")
    .where("address", "in", addressKeys(address))
}

/**
 * Every response that contains this e-mail address, however it was written, oldest first. `questionsOf` knows what
 * they had asked the assistant before.
 */
export async function responsesOfAddress(
  db: Db,
  address: string,
  questionsOf: QuestionsOf,
  workspaceId?: string,
): Promise<PersonalResponse[]> {
  const rows = await withAddress(db, address)
    .selectAll("form_response")
    .select("project.workspace_id")
    .where("form.removed_at", "is", null)
    .$if(workspaceId !== undefined, (query) => query.where("workspace_id", "=", workspaceId as string))
    .orderBy("form_response.id")
    .execute()
  const found: PersonalResponse[] = []
  for (const row of rows) {
    const form = await findForm(db, row.workspace_id, row.form_id)
    if (!form) continue
    const response = formResponse(row)
    const { answerId } = response
    const confirmedAt = response.consent?.confirmedAt ?? null
    const questions = answerId === null ? undefined : await questionsOf(db, form.projectId, [answerId])
    found.push({
      ...dataOf(form, response),
      state: response.state,
      consent_confirmed_at: confirmedAt === null ? null : isoTime(confirmedAt),
      answer_id: answerId,
      question: (answerId === null ? undefined : questions?.get(answerId)) ?? null,
    })
  }
  return found
}
