import type { Project } from "../../accounts/project.ts"
import { Refusal } from "../../base/errors.ts"
import { type Assistant, requireIndex } from "../ask/ask.ts"
import { type AskRequest, parseAskRequest } from "../ask/ask-request.ts"
import { type Answered, answeringOf, outcomeOf } from "../ask/outcome.ts"

/**
 * Answers an operator who tries a question: by a visitor's path, but counted against no limit and kept
 * nowhere. Throws Refusal like `ask`; what is wrong with the question stands at the field `question`.
 */
export async function tryOut(
  assistant: Assistant,
  project: Project,
  question: string,
  signal: AbortSignal,
): Promise<Answered> {
  const asked = checked(project, question)
  const { index } = await requireIndex(assistant, project)
  const wanted = { ...asked, previous: [], language: project.language }
  return outcomeOf(answeringOf(assistant, project), index, wanted, signal)
}

function checked({ id }: Project, question: string): AskRequest {
  try {
    return parseAskRequest(new TextEncoder().encode(JSON.stringify({ project: id, question })))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, detail, message } = error
    throw new Refusal(code, detail, { fields: { question: detail }, reason: message })
  }
}
