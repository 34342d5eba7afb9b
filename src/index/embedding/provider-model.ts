import { type Passage, withoutLinkTargets } from "../../reading/formats/document.ts"
import type { PassageModel } from "./embed-passages.ts"

/** Makes vectors of length 1. Retries for minutes, then throws Refusal `unavailable`. */
export type EmbedTexts = (
  texts: readonly string[],
  signal: AbortSignal,
  onRequest: () => void,
) => Promise<Float32Array[]>

/** Embedding models read some 2,000 tokens; passages seldom have half as many. */
const maxCharacters = 8000

/** A provider's embedding model. It gives one vector for each passage, and none for its parts. */
export function providerModel(name: string, embed: EmbedTexts): PassageModel {
  return {
    name,
    textOf: embeddedText,
    // Gemini's batches hold at most 100 texts.
    batch: { passages: 100, characters: 100_000 },
    async embed(passages, _language, signal, onRequest) {
      const vectors = await embed(passages.map(embeddedText), signal, onRequest)
      return vectors.map((vector) => ({ vector, pieces: noPieces }))
    },
  }
}

const noPieces = new Uint8Array(0)

function embeddedText({ title, headings, markdown }: Passage): string {
  return `${[title, ...headings].join(" › ")}\n\n${withoutLinkTargets(markdown)}`.slice(0, maxCharacters)
}
