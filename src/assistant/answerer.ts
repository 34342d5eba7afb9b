import type { Language } from "../accounts/project.ts"
import type { Passage } from "./documents/document.ts"
import type { WeightedTerms } from "./index/lance.ts"

/** A question with the passages that may answer it, best first. */
export interface Asked {
  question: string
  /** Earlier questions of the conversation with their answers, oldest first. */
  previous: { question: string; answer: string }[]
  language: Language
  /** What the passages were looked for by. */
  terms: readonly WeightedTerms[]
  passages: Passage[]
  /** The question as one that needs no conversation, where there is one and it could be made. */
  standalone?: string | undefined
}

/** A sentence, list item or code block of the answer, with the passages that say so. */
export interface AnswerPiece {
  /** Simple Markdown without markers. */
  markdown: string
  /** At least one; each is one of the passages given. */
  passages: Passage[]
  /** Of a quotation, where it stands in its passage: the same words may stand in another section of it. */
  at?: number
}

/**
 * Answers from passages alone. Yields the pieces in reading order, each already true to its passages;
 * none means that the documentation does not answer. Throws Refusal `unavailable` when it cannot tell.
 */
export interface Answerer {
  /**
   * Another one whenever the same passages may give another answer: a kept answer is not given again then.
   */
  version: string
  /**
   * How confident retrieval must be before it is asked; none: as much as it takes to answer with what was
   * found. Less for one that judges for itself.
   */
  leastConfidence?: number
  /**
   * Lets a question in, before anything is done for it; to be disposed of when it is answered. None: all are
   * let in. Throws Refusal `unavailable` when too many are being answered.
   */
  enter?(): Disposable
  answer(asked: Asked, signal: AbortSignal): AsyncIterable<AnswerPiece>
}
