import type { Language } from "../../accounts/project.ts"
import { type AnswerDeps, type AnswerRequest, answerQuestion } from "../../answering/ask/answer.ts"
import { maxPrevious } from "../../answering/ask/ask-request.ts"
import { withoutMarkers } from "../../answering/ask/citations.ts"
import { retrievePassages } from "../../answering/ask/retrieve.ts"
import type { AskedEdition } from "../../answering/editions/edition-index.ts"
import { isoTime } from "../../base/clock.ts"
import { withoutFragment } from "../../base/text.ts"
import type { EvalQuestion } from "./question-file.ts"
import type { EvalReply } from "./scores.ts"

/** Enough passages for ten different pages in practice. */
export const rankedPassages = 60

/** Answers a question of a file like a visitor's, but without limits or cache, and stores nothing. */
export async function evaluateQuestion(
  deps: AnswerDeps,
  asked: AskedEdition,
  language: Language,
  { question, page, previous: earlier = [] }: EvalQuestion,
): Promise<EvalReply> {
  const { signal } = new AbortController()
  const requestFor = (question: string, previous: AnswerRequest["previous"]): AnswerRequest => ({
    question,
    previous,
    language,
    page,
  })

  async function conversation(): Promise<AnswerRequest["previous"]> {
    let previous: AnswerRequest["previous"] = []
    for (const question of [earlier].flat()) {
      const { result } = await answerQuestion(deps, asked, requestFor(question, previous), signal)
      // Specification, part 4 A: only answered questions give context.
      if (result.status !== "answered") continue
      previous = [...previous, { question, answer: withoutMarkers(result.answer) }].slice(-maxPrevious)
    }
    return previous
  }

  const request = requestFor(question, await conversation())
  const { threshold } = deps
  const searched = { ...request, today: isoTime(deps.clock.now()).slice(0, 10), threshold }
  const { retrieval } = await retrievePassages(
    deps.understanding,
    asked.index,
    searched,
    signal,
    rankedPassages,
  )
  const { result } = await answerQuestion(deps, asked, request, signal)
  // A source may point to a section in the middle of a passage.
  const citedPages = new Set(result.sources.map(({ url }) => withoutFragment(url)))
  const cited = retrieval.ranked.filter(({ passage }) => citedPages.has(withoutFragment(passage.url)))
  return {
    ranked: retrieval.ranked.map(({ passage }) => passage.document),
    answered: result.status === "answered",
    text: result.answer,
    cited: cited.map(({ passage }) => passage.document),
  }
}
