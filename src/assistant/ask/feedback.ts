import { findProject } from "../../accounts/project.ts"
import { detail, Refusal } from "../../base/errors.ts"
import { type Assistant, requireDeclaredOrigin } from "./ask.ts"
import { parseObject } from "./ask-request.ts"
import { projectOfAnswer, recordUseful } from "./kept-answer.ts"

/**
 * Keeps whether an answer helped; the last word counts. Throws Refusal: `invalid_request`, `not_found`,
 * `origin_not_allowed`.
 */
export async function giveFeedback(
  { db }: Assistant,
  answerId: string,
  body: Uint8Array,
  origin: string | null,
): Promise<void> {
  const { useful } = parseObject(body)
  if (typeof useful !== "boolean") throw new Refusal("invalid_request", detail("assistant.useful"))
  const projectId = await projectOfAnswer(db, answerId)
  const project = projectId === undefined ? undefined : await findProject(db, projectId)
  if (!project) throw new Refusal("not_found", detail("assistant.answerNotFound"))
  requireDeclaredOrigin(project, origin)
  await recordUseful(db, answerId, useful)
}
