import type { Language } from "../../accounts/project.ts"
import type { Db } from "../../db/connection.ts"
import type { Passage } from "../../reading/formats/document.ts"
import type { EmbeddedPassage, Embedder } from "./embedder.ts"
import {
  countVectors,
  deleteOldVectors,
  hashOfText,
  loadVectors,
  saveVectors,
  type VectorScope,
} from "./stored-vector.ts"

/** Makes and stores the vectors of projects' passages. */
export interface PassageEmbedding {
  /** Provider, model and vector size. */
  name: string
  begin(run: EmbeddingRun): RunningEmbedding
  /** Number of these passages that no earlier run has made vectors for. */
  countMissing(projectId: string, language: Language, passages: readonly Passage[]): Promise<number>
}

export interface EmbeddingRun {
  projectId: string
  language: Language
  /** The generation that is being built. */
  generation: number
  signal: AbortSignal
  onProgress(spent: Spent): void
}

export interface RunningEmbedding extends Embedder {
  spent: Readonly<Spent>
  /** Deletes vectors of texts that are gone; call once the generation is live. */
  settle(): Promise<void>
}

/** Cost of the vectors of one indexing run. */
export interface Spent {
  /** Passages that have a vector. */
  embedded: number
  /** Those of them whose vector an earlier run has paid for. */
  reused: number
  /** Requests to a provider's model; the embedded one is sent nothing. */
  requests: number
  /** Characters sent to the model. */
  characters: number
}

/** Makes the vectors: a provider's model, or the embedded one. */
export interface PassageModel {
  name: string
  /** The text that a passage's vector stands for. Passages of equal text share a vector. */
  textOf(passage: Passage, language: Language): string
  /** Limits of one call of `embed`. */
  batch: { passages: number; characters: number }
  /** Makes vectors in the order of the passages. Retries for minutes, then throws Refusal `unavailable`. */
  embed(
    passages: readonly Passage[],
    language: Language,
    signal: AbortSignal,
    onRequest: () => void,
  ): Promise<EmbeddedPassage[]>
}

export function passageEmbedding(db: Db, model: PassageModel): PassageEmbedding {
  const { name } = model
  return {
    name,
    begin: ({ projectId, language, generation, signal, onProgress }) => {
      const scope: VectorScope = { projectId, model: name, generation }
      const spent: Spent = { embedded: 0, reused: 0, requests: 0, characters: 0 }
      return {
        name,
        spent,
        async vectorsOf(passages) {
          const hashes = passages.map((passage) => hashOfText(model.textOf(passage, language)))
          const stored = await loadVectors(db, scope, [...new Set(hashes)])
          const missing = new Map(
            passages.flatMap((passage, at) => {
              const hash = hashes[at] as string
              return stored.has(hash) ? [] : [[hash, passage] as const]
            }),
          )
          spent.embedded += passages.length - missing.size
          spent.reused += stored.size
          onProgress(spent)
          for (const batch of batches([...missing], model, language)) {
            signal.throwIfAborted()
            const vectors = await model.embed(
              batch.map(({ passage }) => passage),
              language,
              signal,
              () => {
                spent.requests++
                spent.characters += batch.reduce((sum, { characters }) => sum + characters, 0)
              },
            )
            const made = new Map(batch.map(({ hash }, at) => [hash, vectors[at] as EmbeddedPassage]))
            // Saved after every batch, so that nothing is paid for twice however this run ends.
            await saveVectors(db, scope, made)
            for (const [hash, vector] of made) stored.set(hash, vector)
            spent.embedded += batch.length
            onProgress(spent)
          }
          return hashes.map((hash) => stored.get(hash) as EmbeddedPassage)
        },
        settle: () => deleteOldVectors(db, scope),
      }
    },
    async countMissing(projectId, language, passages) {
      const hashes = new Set(passages.map((passage) => hashOfText(model.textOf(passage, language))))
      return hashes.size - (await countVectors(db, projectId, name, [...hashes]))
    },
  }
}

interface Batched {
  hash: string
  passage: Passage
  /** Length of its text. */
  characters: number
}

function* batches(
  missing: readonly (readonly [string, Passage])[],
  { batch: limits, textOf }: PassageModel,
  language: Language,
): Generator<Batched[]> {
  let batch: Batched[] = []
  let sum = 0
  for (const [hash, passage] of missing) {
    const { length: characters } = textOf(passage, language)
    const isFull = batch.length === limits.passages || sum + characters > limits.characters
    if (isFull && batch.length > 0) {
      yield batch
      batch = []
      sum = 0
    }
    batch.push({ hash, passage, characters })
    sum += characters
  }
  if (batch.length > 0) yield batch
}
