import type { Db } from "../../db/sqlite/connection.ts"
import type { Passage } from "../documents/document.ts"
import { withoutLinkTargets } from "../documents/link-targets.ts"
import type { Embedder } from "./embedder.ts"
import { forgetVectors, hashOfText, type Owner, storedVectors, storeVectors } from "./stored-vector.ts"

/** Gives the passages of projects their vectors. */
export interface PassageEmbedding {
  /** What vectors are made by: the provider, its model and how long they are. */
  name: string
  begin(run: EmbeddingRun): RunningEmbedding
}

export interface EmbeddingRun {
  projectId: string
  /** The one that is being built. */
  generation: number
  signal: AbortSignal
  onProgress(spent: Spent): void
}

export interface RunningEmbedding extends Embedder {
  spent: Readonly<Spent>
  /** Once the generation answers: vectors of texts that are no longer there go. */
  settle(): Promise<void>
}

/** What the vectors of one indexing took. */
export interface Spent {
  /** Passages that have their vector. */
  embedded: number
  /** Of those, the ones that were paid for before. */
  reused: number
  requests: number
  /** Sent to the model. */
  characters: number
}

/**
 * Makes vectors of length 1 for texts of a documentation. Tries again for minutes; throws Refusal
 * `unavailable` after that.
 */
export type EmbedTexts = (
  texts: readonly string[],
  signal: AbortSignal,
  onRequest: () => void,
) => Promise<Float32Array[]>

/** What a request takes: Gemini's batches hold at most 100 texts. */
const batch = { texts: 100, characters: 100_000 }
/** Embedding models read some 2,000 tokens; a passage seldom has half of that. */
const maxCharacters = 8000

export function passageEmbedding(db: Db, name: string, embed: EmbedTexts): PassageEmbedding {
  return {
    name,
    begin: ({ projectId, generation, signal, onProgress }) => {
      const owner: Owner = { projectId, model: name, generation }
      const spent: Spent = { embedded: 0, reused: 0, requests: 0, characters: 0 }
      return {
        name,
        spent,
        async vectorsOf(passages) {
          const texts = new Map(passages.map(textOf).map((text) => [hashOfText(text), text]))
          const known = await storedVectors(db, owner, [...texts.keys()])
          const missing = [...texts].filter(([hash]) => !known.has(hash))
          spent.embedded += passages.length - missing.length
          spent.reused += known.size
          onProgress(spent)
          for (const some of batches(missing)) {
            const characters = some.reduce((sum, [, text]) => sum + text.length, 0)
            const vectors = await embed(
              some.map(([, text]) => text),
              signal,
              () => {
                spent.requests++
                spent.characters += characters
              },
            )
            const made = new Map(some.map(([hash], at) => [hash, vectors[at] as Float32Array]))
            // Stored at once: what was paid for is not paid again, however this run ends.
            await storeVectors(db, owner, made)
            for (const [hash, vector] of made) known.set(hash, vector)
            spent.embedded += some.length
            onProgress(spent)
          }
          return passages.map((passage) => known.get(hashOfText(textOf(passage))) as Float32Array)
        },
        settle: () => forgetVectors(db, projectId, generation),
      }
    },
  }
}

function textOf({ title, headings, markdown }: Passage): string {
  return `${[title, ...headings].join(" › ")}\n\n${withoutLinkTargets(markdown)}`.slice(0, maxCharacters)
}

function* batches(texts: readonly [string, string][]): Generator<[string, string][]> {
  let some: [string, string][] = []
  let characters = 0
  for (const text of texts) {
    if (some.length === batch.texts || (some.length > 0 && characters + text[1].length > batch.characters)) {
      yield some
      some = []
      characters = 0
    }
    some.push(text)
    characters += text[1].length
  }
  if (some.length > 0) yield some
}
