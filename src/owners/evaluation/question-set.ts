import { detail, Refusal, required, requireRoom } from "../../base/errors.ts"
import { newId } from "../../base/ids.ts"
import { camelNames } from "../../base/names.ts"
import type { Db } from "../../db/connection.ts"
import type { Row } from "../../db/schema.ts"
import type { PageRequest } from "../../db/search.ts"
import { countOf, deleteRows, insertRows, rowsOf } from "../../db/store.ts"
import { withLock } from "../../db/with-lock.ts"
import type { NewSetQuestion } from "./import-questions.ts"

/** A question that the project is tried with after each reading. */
export interface SetQuestion {
  id: string
  question: string
  /** Path of the page that its answer has to cite; null when any may be. */
  page: string | null
  /** Text that its answer has to hold; null when any may be. */
  text: string | null
  createdAt: number
}

/** Limits of one project. The messages `assistant.set…` name the same numbers. */
export const setLimits = { questions: 500, questionLength: 1000, textLength: 500 } as const

/** Adds all of them or none. Throws Refusal: `invalid_request`, `conflict` for more than a project may have. */
export async function addSetQuestions(
  db: Db,
  projectId: string,
  typed: readonly NewSetQuestion[],
  nowMs: number,
): Promise<SetQuestion[]> {
  typed.forEach(requireExpectation)
  const rows = typed.map(({ question, page, text }) => ({
    id: newId("eval", nowMs),
    project_id: projectId,
    question,
    page: page || null,
    text: text || null,
    created_at: nowMs,
  }))
  await withLock(db, `evaluation:${projectId}`, async (transaction) => {
    const count = await countOf(transaction, "evaluation_question", { project_id: projectId })
    requireRoom(count + rows.length - 1, setLimits.questions, "assistant.setFull")
    for (let start = 0; start < rows.length; start += 100)
      await insertRows(transaction, "evaluation_question", rows.slice(start, start + 100))
  })
  return rows.map(toSetQuestion)
}

/** Newest first. */
export async function listSetQuestions(db: Db, projectId: string, part?: PageRequest) {
  return (await rowsOf(db, "evaluation_question", { project_id: projectId }, part)).map(toSetQuestion)
}

/** Throws Refusal `not_found`, also for a question of another project. */
export async function removeSetQuestion(db: Db, projectId: string, id: string): Promise<void> {
  const [removed] = await deleteRows(db, "evaluation_question", { id, project_id: projectId })
  required(removed, detail("assistant.setQuestionNotFound", { project: projectId, id }))
}

function requireExpectation({ page, text }: NewSetQuestion): void {
  if (page || text) return
  const fields = { page: detail("assistant.setExpects") }
  throw new Refusal("invalid_request", detail("assistant.invalidSetQuestion"), { fields })
}

function toSetQuestion({ project_id, ...columns }: Row<"evaluation_question">): SetQuestion {
  return camelNames(columns)
}
