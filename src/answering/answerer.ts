import type { Language } from "../accounts/project.ts"
import type { WeightedTerms } from "../index/lance/lance.ts"
import type { Passage } from "../reading/formats/document.ts"
import type { QuestionWord } from "./retrieval/question.ts"
import type { FoundPassage } from "./retrieval/retrieve.ts"

/** A question with the passages that may answer it, best first. */
export interface QuestionWithPassages {
  question: string
  /** Earlier questions of the conversation with their answers, oldest first. */
  previous: { question: string; answer: string }[]
  language: Language
  /** The terms that retrieval searched for. */
  terms: readonly WeightedTerms[]
  passages: Passage[]
  /** The same passages with the parts of their scores. */
  found: readonly FoundPassage[]
  /** The question's words, each with its weight in this documentation. */
  words: readonly QuestionWord[]
  /** The quotation from these passages that was judged; the extractive answer. */
  quoted: readonly AnswerPiece[]
  /** The question rewritten to need no conversation; undefined without a conversation or a model. */
  standalone?: string | undefined
  /** Where the embedded model made the index; resolves to undefined where it is busy. */
  meaningOf?: ((text: string, signal: AbortSignal) => Promise<Meaning | undefined>) | undefined
}

/** How near a text is to the documentation. */
export interface Meaning {
  /** Cosines with the units of the passage of a row, in reading order. */
  unitCosines(row: number): (number | undefined)[]
  /** Median of the cosines with the documentation's passages. */
  median: number
}

/** A sentence, list item or code block of the answer, with the passages that support it. */
export interface AnswerPiece {
  /** Simple Markdown without markers. */
  markdown: string
  /** At least one; each is one of the passages given. */
  passages: Passage[]
  /** Offset of a quotation in its passage, in UTF-16 code units: the same words may occur in two sections. */
  at?: number
  /** A quotation that ends where its list goes on, or before something too long to be quoted. */
  isCut?: boolean
}

/**
 * Answers from passages alone. Yields the pieces in reading order, each supported by its passages. No piece
 * means that the documentation does not answer. Throws Refusal `unavailable` when the answerer cannot tell.
 */
export interface Answerer {
  /** Changes whenever the same passages may give another answer, which invalidates cached answers. */
  version: string
  /**
   * Least confidence of retrieval at which the answerer is asked. Undefined: the confidence at which found
   * passages count as an answer. An answerer that judges passages for itself sets a lower one.
   */
  leastConfidence?: number
  /**
   * Takes a place for a question of a project before any work is done for it; disposing frees the place. Undefined: no
   * limit. Throws Refusal `unavailable` when too many questions are being answered, of all projects or of this one.
   */
  enter?(projectId: string): Disposable
  answer(question: QuestionWithPassages, signal: AbortSignal): AsyncIterable<AnswerPiece>
}
