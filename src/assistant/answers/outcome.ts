import { secondMs } from "../../clock.ts"
import { Refusal } from "../../errors.ts"
import type { PassageIndex } from "../retrieval/lance.ts"
import { type Retrieval, retrieve } from "../retrieval/retrieve.ts"
import { noAnswer, sentences } from "../sentences.ts"
import { citedAnswer } from "./answer.ts"
import type { Answerer, AnswerPiece, Asked } from "./answerer.ts"
import type { Outcome } from "./kept-answer.ts"

export type Wanted = Omit<Asked, "passages"> & { page: string | undefined }

export interface Answering {
  answerer: Answerer
  answerTimeoutMs: number
}

/** No answer takes longer. Less than the time for which a place within the limits is held (workspaces/limit.ts). */
export const answerTimeoutMs = 30 * secondMs

/**
 * Retrieve, decide, answer, check the sources. Throws Refusal `unavailable` when that takes too long, or when the caller
 * has gone away.
 */
export async function outcomeOf(
  { answerer, answerTimeoutMs }: Answering,
  index: PassageIndex,
  wanted: Wanted,
  callerSignal: AbortSignal,
): Promise<{ outcome: Outcome; retrieval: Retrieval }> {
  return inTime(answerTimeoutMs, callerSignal, async (signal) => {
    const retrieval = await retrieve(index, wanted)
    if (!retrieval.decision.answerable) return { outcome: unanswered(wanted), retrieval }
    const passages = retrieval.ranked.map(({ passage }) => passage)
    const pieces: AnswerPiece[] = []
    for await (const piece of answerer.answer({ ...wanted, passages }, signal)) pieces.push(piece)
    const cited = citedAnswer(pieces, passages)
    return { outcome: cited ? { status: "answered", ...cited } : unanswered(wanted), retrieval }
  })
}

function unanswered({ language }: Wanted): Outcome {
  return { status: "no_answer", answer: noAnswer[language], sources: [] }
}

/** An answerer that ignores its signal is left behind, not waited for. */
async function inTime<Result>(
  timeoutMs: number,
  callerSignal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const { promise: late, reject } = Promise.withResolvers<never>()
  const stop = (reason: string) => {
    reject(new Refusal("unavailable", sentences.unavailable, { reason, retryAfterSeconds }))
    controller.abort()
  }
  const gone = () => stop("the caller has gone away")
  const timer = setTimeout(() => stop("the answer took too long"), timeoutMs)
  callerSignal.addEventListener("abort", gone)
  try {
    return await Promise.race([work(controller.signal), late])
  } finally {
    clearTimeout(timer)
    callerSignal.removeEventListener("abort", gone)
  }
}

const retryAfterSeconds = 30
