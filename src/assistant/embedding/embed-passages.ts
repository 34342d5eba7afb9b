import type { Db } from "../../db/sqlite/connection.ts"
import { type Passage, withoutLinkTargets } from "../documents/document.ts"
import type { Embedder } from "./embedder.ts"
import { deleteOldVectors, hashOfText, loadVectors, saveVectors, type VectorScope } from "./stored-vector.ts"

/** Makes and stores the vectors of projects' passages. */
export interface PassageEmbedding {
  /** Provider, model and vector size. */
  name: string
  begin(run: EmbeddingRun): RunningEmbedding
}

export interface EmbeddingRun {
  projectId: string
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
  requests: number
  /** Characters sent to the model. */
  characters: number
}

/** Makes vectors of length 1. Retries for minutes, then throws Refusal `unavailable`. */
export type EmbedTexts = (
  texts: readonly string[],
  signal: AbortSignal,
  onRequest: () => void,
) => Promise<Float32Array[]>

/** Limits of one request. Gemini's batches hold at most 100 texts. */
const batchLimits = { texts: 100, characters: 100_000 }
/** Embedding models read some 2,000 tokens; passages seldom have half as many. */
const maxCharacters = 8000

export function passageEmbedding(db: Db, name: string, embed: EmbedTexts): PassageEmbedding {
  return {
    name,
    begin: ({ projectId, generation, signal, onProgress }) => {
      const scope: VectorScope = { projectId, model: name, generation }
      const spent: Spent = { embedded: 0, reused: 0, requests: 0, characters: 0 }
      return {
        name,
        spent,
        async vectorsOf(passages) {
          const texts = new Map(passages.map(textOf).map((text) => [hashOfText(text), text]))
          const known = await loadVectors(db, scope, [...texts.keys()])
          const missing = [...texts].filter(([hash]) => !known.has(hash))
          spent.embedded += passages.length - missing.length
          spent.reused += known.size
          onProgress(spent)
          for (const batch of batches(missing)) {
            const characters = batch.reduce((sum, [, text]) => sum + text.length, 0)
            const vectors = await embed(
              batch.map(([, text]) => text),
              signal,
              () => {
                spent.requests++
                spent.characters += characters
              },
            )
            const made = new Map(batch.map(([hash], at) => [hash, vectors[at] as Float32Array]))
            // Saved after every batch, so that nothing is paid for twice however this run ends.
            await saveVectors(db, scope, made)
            for (const [hash, vector] of made) known.set(hash, vector)
            spent.embedded += batch.length
            onProgress(spent)
          }
          return passages.map((passage) => known.get(hashOfText(textOf(passage))) as Float32Array)
        },
        settle: () => deleteOldVectors(db, projectId, generation),
      }
    },
  }
}

function textOf({ title, headings, markdown }: Passage): string {
  return `${[title, ...headings].join(" › ")}\n\n${withoutLinkTargets(markdown)}`.slice(0, maxCharacters)
}

function* batches(texts: readonly [string, string][]): Generator<[string, string][]> {
  let batch: [string, string][] = []
  let characters = 0
  for (const text of texts) {
    if (
      batch.length === batchLimits.texts ||
      (batch.length > 0 && characters + text[1].length > batchLimits.characters)
    ) {
      yield batch
      batch = []
      characters = 0
    }
    batch.push(text)
    characters += text[1].length
  }
  if (batch.length > 0) yield batch
}
