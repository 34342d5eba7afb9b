import { minuteMs, secondMs } from "../../base/clock.ts"

/** How long a model is waited for, and how many wait. */
export interface ModelLimits {
  /** Until the first piece of an answer. */
  firstPieceMs: number
  /** Between two pieces. */
  pauseMs: number
  /**
   * For the whole answer, its tries and its place in the line included: less than an answer may take at all
   * (answers/outcome.ts).
   */
  answerMs: number
  /** For what only helps to find passages: the vector of a question, a follow-up made standalone. */
  helpMs: number
  /** Tries of an answer that failed before its first piece, in a way that may pass. */
  tries: number
  retryPauseMs: number
  /**
   * Calls at one time. Bun's fetch slows down above 64 to one server, and with 256 that hang it stops for
   * all.
   */
  inFlight: number
  /** Calls that wait for their turn; another one is told to come back. */
  waiting: number
  /** Outages in a row after which the model is left alone, and for how long. */
  outages: number
  restMs: number
  /** For indexing, which has time: doubled from pause to pause. */
  embeddingTries: number
  embeddingMs: number
  embeddingPauseMs: number
}

export const modelLimits: ModelLimits = {
  firstPieceMs: 12 * secondMs,
  pauseMs: 8 * secondMs,
  answerMs: 24 * secondMs,
  helpMs: 3 * secondMs,
  tries: 2,
  retryPauseMs: 500,
  inFlight: 32,
  waiting: 64,
  outages: 5,
  restMs: 30 * secondMs,
  embeddingTries: 8,
  embeddingMs: minuteMs,
  embeddingPauseMs: 2 * secondMs,
}
