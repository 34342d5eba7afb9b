import { minuteMs, secondMs } from "../../base/clock.ts"

/** Timeouts, retries and concurrency of calls to a model. */
export interface ModelLimits {
  /** Longest wait for the first piece of an answer. */
  firstPieceMs: number
  /** Longest wait between two pieces. */
  pauseMs: number
  /**
   * For the whole answer, including retries and the wait in the queue. Less than `answerTimeoutMs` of
   * answering/ask/answer.ts.
   */
  answerMs: number
  /** For calls that only help retrieval: embedding a question, making a follow-up standalone. */
  helpMs: number
  /** Attempts at an answer, as long as each fails before its first piece and a retry may help. */
  maxAttempts: number
  retryPauseMs: number
  /**
   * Calls at the same time. Bun's fetch slows down above 64 connections to one server, and 256 hanging
   * connections block every other request of the process.
   */
  inFlight: number
  /** Calls that may queue; further ones fail at once with `crowded`. */
  waiting: number
  /** Questions of one project that call or wait: the places beyond them are there for other projects. */
  perProject: number
  /** Outages in a row that open the circuit breaker, and how long it stays open. */
  outagesToOpen: number
  cooldownMs: number
  /** For indexing, which can wait: the pause doubles with each attempt. */
  maxEmbeddingAttempts: number
  embeddingMs: number
  embeddingPauseMs: number
}

export const modelLimits: ModelLimits = {
  firstPieceMs: 12 * secondMs,
  pauseMs: 8 * secondMs,
  answerMs: 24 * secondMs,
  helpMs: 3 * secondMs,
  maxAttempts: 2,
  retryPauseMs: 500,
  inFlight: 32,
  waiting: 64,
  perProject: 64,
  outagesToOpen: 5,
  cooldownMs: 30 * secondMs,
  maxEmbeddingAttempts: 8,
  embeddingMs: minuteMs,
  embeddingPauseMs: 2 * secondMs,
}
