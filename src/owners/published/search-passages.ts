import type { Project } from "../../accounts/project.ts"
import { type AdmitDeps, requireIndex } from "../../answering/ask/admit.ts"
import { type AnswerDeps, answerDepsFor } from "../../answering/ask/answer.ts"
import { quotedSection } from "../../answering/ask/citations.ts"
import { retrievePassages } from "../../answering/ask/retrieve.ts"
import { askedEdition, type Place } from "../../answering/editions/edition-index.ts"
import { isoTime } from "../../base/clock.ts"
import { datedTitle } from "../../reading/formats/post.ts"

/** A passage of the documentation, for a program that reads for itself. */
export interface FoundText {
  title: string
  section: string | null
  url: string
  excerpt: string
}

/** Passages are some 1,000 characters long; code is never split, and may be megabytes. */
const maxExcerptCharacters = 2_000

/**
 * The passages that come nearest to a text by words and meaning, best first. Nothing is stored, and no model of others
 * learns of the text. Throws Refusal `not_indexed` or `unavailable`.
 */
export async function searchPassages(
  deps: AdmitDeps & AnswerDeps,
  project: Project,
  { text, limit, ...place }: { text: string; limit: number } & Place,
  signal: AbortSignal,
): Promise<FoundText[]> {
  const live = await requireIndex(deps, project)
  const { index } = await askedEdition(live.index, project, place)
  const leave = deps.queue.enter() ?? (await deps.queue.wait(project.id, signal))
  try {
    const { language } = project
    const { localUnderstanding } = answerDepsFor(deps, project)
    const today = isoTime(deps.clock.now()).slice(0, 10)
    const request = { question: text, previous: [], language, page: undefined, today }
    const { retrieval } = await retrievePassages(localUnderstanding, index, request, signal, limit)
    return retrieval.ranked.slice(0, limit).map(({ passage }) => {
      const { heading: section, url } = quotedSection(passage, { markdown: text, passages: [passage] })
      const excerpt = passage.markdown.slice(0, maxExcerptCharacters).toWellFormed()
      return { title: datedTitle(passage, language), section, url, excerpt }
    })
  } finally {
    leave()
  }
}
