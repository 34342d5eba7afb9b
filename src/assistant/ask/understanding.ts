import type { Asked } from "../answerer.ts"

/**
 * What a language model makes of a question before anything is looked for. Nothing here may fail a question:
 * what cannot be had is undefined, and words alone find the passages.
 */
export interface Understanding {
  /** What vectors are made by; an index of another kind is not asked with them. undefined: there are none. */
  embeddingName: string | undefined
  /** The last question of a conversation as one that needs no conversation. */
  standalone(asked: Conversation, signal: AbortSignal): Promise<string | undefined>
  /** Of length 1. */
  vectorOf(question: string, signal: AbortSignal): Promise<Float32Array | undefined>
}

export type Conversation = Pick<Asked, "question" | "previous" | "language">

/** A question with what was understood of it. */
export interface Understood {
  standalone: string | undefined
  vector: Float32Array | undefined
}

/** For an index with vectors made by `embeddingName`. */
export async function understood(
  understanding: Understanding | undefined,
  embeddingName: string | undefined,
  asked: Conversation,
  signal: AbortSignal,
): Promise<Understood> {
  if (!understanding) return { standalone: undefined, vector: undefined }
  const standalone = asked.previous.length > 0 ? await understanding.standalone(asked, signal) : undefined
  const isComparable = embeddingName !== undefined && embeddingName === understanding.embeddingName
  const vector = isComparable ? await understanding.vectorOf(standalone ?? asked.question, signal) : undefined
  return { standalone, vector }
}
