import type { Answerer, AnswerPiece } from "../answerer.ts"
import { candidatesOf, type FoundForQuestion } from "./candidate.ts"
import { type Block, chooseQuotations } from "./choose.ts"

/** Answers with verbatim quotations: the part of a section that answers, whole, as a person would paste it. */
export const extractive: Answerer = {
  version: "extractive-12",
  async *answer(question) {
    yield* question.quoted
  },
}

/** A quotation that may answer, see `Choice`. */
export interface ChosenQuotation {
  judged: AnswerPiece
  pieces(): AnswerPiece[]
  score: number
}

/** The quotations that may answer, best first. */
export function extract(question: FoundForQuestion): ChosenQuotation[] {
  const { candidates, weights } = candidatesOf(question)
  return chooseQuotations(candidates, weights).map(({ block, blocks, score }) => ({
    judged: pieceOf(block),
    pieces: () => blocks().map(pieceOf),
    score,
  }))
}

function pieceOf({ candidates, markdown, at, isCut }: Block): AnswerPiece {
  return { markdown, passages: candidates.map(({ passage }) => passage), at, ...(isCut && { isCut }) }
}
