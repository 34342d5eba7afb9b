import type { Answerer, AnswerPiece, QuestionWithPassages } from "../answerer.ts"
import { candidatesOf } from "./candidate.ts"
import { chooseBlocks } from "./choose.ts"

/** Answers with verbatim quotations: the part of a section that answers, whole, as a person would paste it. */
export const extractive: Answerer = {
  version: "extractive-9",
  async *answer(question) {
    yield* extract(question)
  },
}

/** One quotation, or a second one where it adds what the first lacks. */
export function extract(question: QuestionWithPassages): AnswerPiece[] {
  const { candidates, weights } = candidatesOf(question)
  return chooseBlocks(candidates, weights).map(({ candidates, markdown, at }) => ({
    markdown,
    passages: candidates.map(({ passage }) => passage),
    at,
  }))
}
