import type { Project } from "../../accounts/project.ts"
import { requireIndex } from "../../answering/ask/admit.ts"
import type { Assistant } from "../../answering/ask/ask.ts"
import { retrievePassages } from "../../answering/ask/retrieve.ts"
import type { Passage } from "../../reading/formats/document.ts"

/**
 * The passages nearest to a question, best first, by what runs on this machine alone, in turn with the questions of
 * visitors. Throws Refusal: `not_indexed`, `unavailable`.
 */
export async function nearestPassages(
  assistant: Assistant,
  project: Project,
  question: string,
  atMost: number,
  signal: AbortSignal,
): Promise<Passage[]> {
  const { index } = await requireIndex(assistant, project)
  const request = { question, previous: [], language: project.language, page: undefined }
  const leave = assistant.queue.enter() ?? (await assistant.queue.wait(project.id, signal))
  try {
    const { retrieval } = await retrievePassages(assistant.localUnderstanding, index, request, signal, atMost)
    return retrieval.ranked.map(({ passage }) => passage)
  } finally {
    leave()
  }
}
