import type { EmbeddingSource, Embeddings } from "../../index/embedding/embeddings.ts"
import { localEmbeddingName } from "../../index/embedding/embeddings.ts"
import type { Understanding } from "./retrieve.ts"

/**
 * How questions are understood: with a language model, and without one for projects whose answers are extracted,
 * whose questions no provider may receive.
 */
export interface Understandings {
  understanding: Understanding | undefined
  localUnderstanding: Understanding | undefined
}

export function openUnderstandings(
  { embedding }: { embedding: EmbeddingSource },
  models: { understanding: Understanding } | undefined,
  { local }: Pick<Embeddings, "local">,
): Understandings {
  const localUnderstanding: Understanding | undefined = local && {
    embeddingName: localEmbeddingName,
    standalone: async () => undefined,
    vectorOf: local.embedQuestion,
  }
  if (!models || embedding === "provider")
    return { understanding: models?.understanding ?? localUnderstanding, localUnderstanding }
  const { standalone } = models.understanding
  const vectors = localUnderstanding ?? { embeddingName: undefined, vectorOf: async () => undefined }
  return { understanding: { ...vectors, standalone }, localUnderstanding }
}

/** The same for one question: each text that its answer is looked for by gets its vector once. */
export function sharingVectors(own: Partial<Understandings>): Partial<Understandings> {
  const localUnderstanding = own.localUnderstanding && rememberingVectors(own.localUnderstanding)
  const isLocal = own.understanding?.vectorOf === own.localUnderstanding?.vectorOf
  const understanding =
    own.understanding && localUnderstanding && isLocal
      ? { ...own.understanding, vectorOf: localUnderstanding.vectorOf }
      : own.understanding
  return { understanding, localUnderstanding }
}

function rememberingVectors(understanding: Understanding): Understanding {
  const vectors = new Map<string, ReturnType<Understanding["vectorOf"]>>()
  return {
    ...understanding,
    vectorOf(text, signal) {
      const vector = vectors.get(text) ?? understanding.vectorOf(text, signal)
      vectors.set(text, vector)
      return vector
    },
  }
}
