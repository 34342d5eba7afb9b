import type { Language } from "../../accounts/project.ts"
import { withoutMarkers } from "../ask/answer.ts"
import { type Answering, outcomeOf, retrieveFor } from "../ask/outcome.ts"
import type { PassageIndex } from "../index/lance.ts"
import type { EvalQuestion, EvalReply } from "./evaluate.ts"

/** Enough passages for ten different pages in practice. */
const rankedPassages = 60

/** Asks a question of a file by the very path a visitor's takes, without limits, cache or keeping. */
export async function tryQuestion(
  answering: Answering,
  index: PassageIndex,
  language: Language,
  { question, previous: earlier }: EvalQuestion,
): Promise<EvalReply> {
  const { signal } = new AbortController()
  const asking = (question: string, previous: { question: string; answer: string }[]) => ({
    question,
    previous,
    language,
    page: undefined,
  })
  const before =
    earlier === undefined
      ? undefined
      : (await outcomeOf(answering, index, asking(earlier, []), signal)).outcome
  // Only answered answers give context.
  const previous =
    earlier !== undefined && before?.status === "answered"
      ? [{ question: earlier, answer: withoutMarkers(before.answer) }]
      : []
  const wanted = asking(question, previous)
  const { ranked } = (await retrieveFor(answering, index, wanted, signal, rankedPassages)).retrieval
  const { outcome } = await outcomeOf(answering, index, wanted, signal)
  const citedPages = new Set(outcome.sources.map(({ url }) => pageOf(url)))
  const cited = ranked.filter(({ passage }) => citedPages.has(pageOf(passage.url)))
  return {
    ranked: ranked.map(({ passage }) => passage.document),
    answered: outcome.status === "answered",
    cited: cited.map(({ passage }) => passage.document),
  }
}

/** A source opens at a section, which may stand in the middle of a passage. */
function pageOf(url: string): string {
  return url.split("#")[0] as string
}
