import type { QuestionWithPassages } from "../answerer.ts"
import type { PassageIndex } from "../index/lance.ts"
import { type Retrieval, retrieve } from "../retrieval/retrieve.ts"

/**
 * Query understanding by a model, before retrieval. It never fails a question: its methods resolve to
 * undefined instead, and words alone find the passages.
 */
export interface Understanding {
  /** Name of the embedding model; an index of another model cannot be searched with its vectors. */
  embeddingName: string | undefined
  /** Rewrites the last question of a conversation so that it needs no conversation. */
  standalone(question: QuestionInContext, signal: AbortSignal): Promise<string | undefined>
  /** The question's embedding, of length 1. */
  vectorOf(question: string, signal: AbortSignal): Promise<Float32Array | undefined>
}

export type QuestionInContext = Pick<QuestionWithPassages, "question" | "previous" | "language">

export interface RetrievedPassages {
  retrieval: Retrieval
  /** The rewritten question; undefined without a conversation or a model. */
  standalone: string | undefined
}

/** Finds at most `limit` passages, by words and by what `understanding` makes of the question. */
export async function retrievePassages(
  understanding: Understanding | undefined,
  index: PassageIndex,
  question: QuestionInContext & { page: string | undefined },
  signal: AbortSignal,
  limit?: number,
): Promise<RetrievedPassages> {
  const standalone =
    question.previous.length > 0 ? await understanding?.standalone(question, signal) : undefined
  const embeddingName = index.embedded?.name
  const isComparable = embeddingName !== undefined && embeddingName === understanding?.embeddingName
  const vector = isComparable
    ? await understanding?.vectorOf(standalone ?? question.question, signal)
    : undefined
  return { retrieval: await retrieve(index, { ...question, standalone, vector }, limit), standalone }
}
