import type { QuestionWithPassages } from "../answerer.ts"
import type { QuestionVector } from "../embedding/question-vector.ts"
import type { PassageIndex } from "../index/lance.ts"
import { leansOnConversation } from "../retrieval/leaning.ts"
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
  /** The question's vector. */
  vectorOf(question: string, signal: AbortSignal): Promise<QuestionVector | undefined>
}

export type QuestionInContext = Pick<QuestionWithPassages, "question" | "previous" | "language">

export interface RetrievedPassages {
  retrieval: Retrieval
  /** The rewritten question; undefined without a conversation or a model. */
  standalone: string | undefined
}

/**
 * Finds at most `limit` passages, by words and by what `understanding` makes of the question. A question that does not
 * lean on its conversation is looked for alone; in its conversation only when nothing is found alone.
 */
export async function retrievePassages(
  understanding: Understanding | undefined,
  index: PassageIndex,
  question: QuestionInContext & { page: string | undefined },
  signal: AbortSignal,
  limit?: number,
): Promise<RetrievedPassages> {
  const { question: text, previous, language } = question
  const last = previous.at(-1)
  const standalone = last ? await understanding?.standalone(question, signal) : undefined
  const embeddingName = index.embedded?.name
  const isComparable = embeddingName !== undefined && embeddingName === understanding?.embeddingName
  const find = async (context: typeof previous, meant: string) => {
    const vector = isComparable ? await understanding?.vectorOf(meant, signal) : undefined
    return retrieve(index, { ...question, previous: context, standalone, vector }, limit)
  }
  if (!last || !leansOnConversation(text, language)) {
    const alone = await find([], standalone ?? text)
    if (!last || alone.decision.answerable) return { retrieval: alone, standalone }
  }
  return { retrieval: await find(previous, standalone ?? `${last.question} ${text}`), standalone }
}
