import type { Language, Project } from "../../accounts/project.ts"
import { withTimeout } from "../../base/async.ts"
import { secondMs } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import type { Answerer, Asked } from "../answerer.ts"
import { extractive } from "../extractive/extract.ts"
import type { PassageIndex } from "../index/lance.ts"
import { type Retrieval, retrieve } from "../retrieval/retrieve.ts"
import { type CitedPiece, openCitation } from "./answer.ts"
import type { Outcome } from "./kept-answer.ts"
import { type Understanding, type Understood, understood } from "./understanding.ts"

export type Wanted = Omit<Asked, "passages" | "standalone" | "terms"> & { page: string | undefined }

export interface Answering {
  answerer: Answerer
  /** The reply to a visitor when the documentation does not answer (specification, part 2 A2). */
  noAnswer: Record<Language, string>
  answerTimeoutMs: number
  /** Answers in place of an answerer that is unavailable. */
  fallback?: Answerer | undefined
  understanding?: Understanding | undefined
  /** Told how long it took to find passages, with what a model did to understand the question. */
  onRetrieved?(seconds: number): void
  /** Told why somebody else stood in, in English. */
  onFallback?(reason: string): void
}

export interface Answered {
  outcome: Outcome
  retrieval: Retrieval
  /** The fallback answered: the next one to ask may get a better answer. */
  isFallback: boolean
}

/**
 * No answer takes longer. Less than the time for which a place within the limits is held
 * (accounts/quotas/ask-quota.ts).
 */
export const answerTimeoutMs = 30 * secondMs

/**
 * Retrieve, decide, answer, check the sources; `onPiece` is told each piece as it comes. Throws Refusal
 * `unavailable` when that takes too long, or when the caller has gone away.
 */
export async function outcomeOf(
  answering: Answering,
  index: PassageIndex,
  wanted: Wanted,
  callerSignal: AbortSignal,
  onPiece: (piece: CitedPiece) => void = () => {},
): Promise<Answered> {
  return inTime(answering.answerTimeoutMs, callerSignal, async (signal) => {
    let found: Found | undefined
    const find = async (understanding: Understanding | undefined) => {
      const startedMs = performance.now()
      found = await retrieveFor({ understanding }, index, wanted, signal)
      answering.onRetrieved?.((performance.now() - startedMs) / secondMs)
      return found
    }
    const unanswered: Outcome = {
      status: "no_answer",
      answer: answering.noAnswer[wanted.language],
      sources: [],
    }
    const by = async (answerer: Answerer, { retrieval, standalone }: Found) => {
      const { terms, ranked } = retrieval
      const asked = { ...wanted, standalone, terms, passages: ranked.map(({ passage }) => passage) }
      const isWorthIt = isWorthAsking(answerer, retrieval)
      const written = isWorthIt ? await write(answerer, asked, signal, onPiece) : undefined
      const outcome = written ?? unanswered
      return { outcome, retrieval }
    }
    try {
      using _place = answering.answerer.enter?.()
      return { ...(await by(answering.answerer, await find(answering.understanding))), isFallback: false }
    } catch (error) {
      const { fallback } = answering
      if (!fallback || signal.aborted || !(error instanceof Refusal)) throw error
      answering.onFallback?.(error.message)
      // Nothing was looked for when the answerer let nobody in: then words alone find passages, without the
      // model.
      return { ...(await by(fallback, found ?? (await find(undefined)))), isFallback: true }
    }
  })
}

type Found = { retrieval: Retrieval } & Understood

/** Finds passages with all that is understood of a question. */
export async function retrieveFor(
  { understanding }: Pick<Answering, "understanding">,
  index: PassageIndex,
  wanted: Wanted,
  signal: AbortSignal,
  limit?: number,
): Promise<Found> {
  const understoodQuestion = await understood(understanding, index.embedded?.name, wanted, signal)
  return {
    ...understoodQuestion,
    retrieval: await retrieve(index, { ...wanted, ...understoodQuestion }, limit),
  }
}

function isWorthAsking({ leastConfidence }: Answerer, { decision }: Retrieval): boolean {
  return leastConfidence === undefined
    ? decision.answerable
    : decision.confidence >= leastConfidence || decision.isNear
}

async function write(
  answerer: Answerer,
  asked: Asked,
  signal: AbortSignal,
  onPiece: (piece: CitedPiece) => void,
): Promise<Outcome | undefined> {
  const citation = openCitation(asked.passages)
  for await (const piece of answerer.answer(asked, signal)) {
    const cited = citation.add(piece)
    if (cited && !signal.aborted) onPiece(cited)
  }
  const cited = citation.written()
  return cited && { status: "answered", ...cited }
}

/** An answerer that ignores its signal is left behind, not waited for. */
async function inTime<Result>(
  timeoutMs: number,
  callerSignal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const unavailable = (reason: string) =>
    new Refusal("unavailable", detail("assistant.unavailable"), { reason, retryAfterSeconds })
  const tooLong = () => unavailable("the answer took too long")
  try {
    return await withTimeout(work(controller.signal), timeoutMs, tooLong, callerSignal)
  } catch (error) {
    throw callerSignal.aborted ? unavailable("the caller has gone away") : error
  } finally {
    controller.abort()
  }
}

const retryAfterSeconds = 30

/** What answers a project's questions. Of one whose answers are extracted, no model is told anything. */
export function answeringOf<Whole extends Answering>(
  whole: Whole,
  { answers }: Pick<Project, "answers">,
): Whole {
  if (answers === "written") return whole
  return { ...whole, answerer: extractive, understanding: undefined, fallback: undefined }
}
