import { packPieces } from "../piece-vectors.ts"
import { type E5, e5Size, type PassageText } from "./e5.ts"

/** One call of the model, as its process gets it. */
export type ModelCall = { question: string } | { passages: PassageText[] }

/** A passage's vector, of length 1, and the packed vectors of its pieces. */
export interface EmbeddedText {
  vector: Float32Array
  pieces: Uint8Array
}

/** `failed`: why there is no vector, in the words of the runtime. */
export type ModelAnswer = { vector: Float32Array } | { passages: EmbeddedText[] } | { failed: string }

/** Answers calls in the process that was started for them. The model is opened at the first one. */
export function modelAnswerer(open: () => Promise<E5>): (call: ModelCall) => Promise<ModelAnswer> {
  let opened: Promise<E5> | undefined
  return async (call) => {
    try {
      opened ??= open()
      const e5 = await opened
      if ("question" in call) return { vector: e5.question(call.question) }
      const passages = call.passages.map((text) => {
        const { passage, pieces } = e5.passage(text)
        return { vector: passage, pieces: packPieces(pieces, e5Size) }
      })
      return { passages }
    } catch (error) {
      opened = undefined
      return { failed: (error as Error).message }
    }
  }
}
