import type { Answerer, AnswerPiece } from "../answerer.ts"
import { candidatesOf, type FoundForQuestion } from "./candidate.ts"
import { chooseBlocks } from "./choose.ts"

/** Answers with verbatim quotations: the part of a section that answers, whole, as a person would paste it. */
export const extractive: Answerer = {
  version: "extractive-11",
  async *answer(question) {
    yield* question.quoted
  },
}

/** One quotation, or a second one where it adds what the first lacks. */
export function extract(question: FoundForQuestion): AnswerPiece[] {
  const { candidates, weights } = candidatesOf(question)
  return chooseBlocks(candidates, weights).map(({ candidates, markdown, at, isCut }) => ({
    markdown,
    passages: candidates.map(({ passage }) => passage),
    at,
    ...(isCut && { isCut }),
  }))
}
