import type { Project } from "../../accounts/project.ts"
import { requireIndex } from "../../answering/ask/admit.ts"
import { type AnsweredQuestion, answerDepsFor } from "../../answering/ask/answer.ts"
import type { Assistant } from "../../answering/ask/ask.ts"
import { type AskRequest, parseAskRequest } from "../../answering/ask/ask-request.ts"
import { answerAsVisitor } from "../../answering/ask/chosen.ts"
import type { Place } from "../../answering/editions/edition-index.ts"
import { Refusal } from "../../base/errors.ts"

/**
 * Answers an operator's question like a visitor's, but counts it against no limit and stores nothing. Throws
 * Refusal: `invalid_request` with the field `question` or `edition`, `not_indexed` or `unavailable`.
 */
export async function tryOut(
  assistant: Assistant,
  project: Project,
  text: string,
  place: Place,
  signal: AbortSignal,
): Promise<AnsweredQuestion> {
  const { question, page } = parseTrial(project, text)
  const live = await requireIndex(assistant, project)
  const request = { question, page, previous: [], language: project.language }
  return answerAsVisitor(answerDepsFor(assistant, project), project, live, place, request, signal)
}

function parseTrial({ id }: Project, question: string): AskRequest {
  try {
    return parseAskRequest(new TextEncoder().encode(JSON.stringify({ project: id, question })))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, detail, message } = error
    throw new Refusal(code, detail, { fields: { question: detail }, reason: message })
  }
}
