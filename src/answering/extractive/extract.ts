import type { Passage } from "../../reading/formats/document.ts"
import type { Answerer, AnswerPiece } from "../answerer.ts"
import type { Match } from "../retrieval/quote-signals.ts"
import { type FoundForQuestion, toCandidates } from "./candidate.ts"
import { type Block, chooseQuotations, rankCandidates } from "./choose.ts"
import { type NextPlace, nextPlaces, shortPlace } from "./next-places.ts"

/** Answers with verbatim quotations: the part of a section that answers, whole, as a person would paste it. */
export const extractive: Answerer = {
  version: "extractive-15",
  async *answer(question) {
    yield* question.quoted
  },
}

/** A quotation that may answer, see `Choice`. */
export interface ChosenQuotation {
  judged: AnswerPiece
  pieces(): AnswerPiece[]
  match: Match
  score: number
}

/** The quotable parts of the passages that were found for a question. */
export interface Extraction {
  /** The quotations that may answer, best first. */
  quotations: ChosenQuotation[]
  /** The places that follow an answer which cites these passages. */
  next(cited: ReadonlySet<Passage>, answer: string): NextPlace[]
  /** The lines of a passage that say most about the question; undefined where nothing of it can be read. */
  linesOf(passage: Passage): NextPlace | undefined
}

export function extract(question: FoundForQuestion): Extraction {
  const { candidates, weights } = toCandidates(question)
  const ranked = rankCandidates(candidates, weights)
  return {
    quotations: chooseQuotations(ranked, weights).map(({ block, blocks, match, score }) => ({
      judged: toPiece(block),
      pieces: () => blocks().map(toPiece),
      match,
      score,
    })),
    next: (cited, answer) => nextPlaces(ranked, weights, cited, answer),
    linesOf: (passage) => shortPlace(ranked, weights, passage),
  }
}

function toPiece({ candidates, markdown, at, isCut }: Block): AnswerPiece {
  return { markdown, passages: candidates.map(({ passage }) => passage), at, ...(isCut && { isCut }) }
}
