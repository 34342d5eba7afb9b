import { Tokenizer } from "@huggingface/tokenizers"
import { filesOnDisk } from "./onnx-files.ts"
import { openOnnxSession } from "./onnx-session.ts"

/** Name of the vectors, another one for every change of the model, or of the texts that they are made of. */
export const e5Name = "e5-small-fr-en-2"
/** Vectors of these names can be compared with today's: the cosine of the same text is .999. */
export const comparableE5Names: readonly string[] = ["e5-small-fr-en-1"]

/** Dimensions of a vector. */
export const e5Size = 384

/** Text of a passage: its title and headings, then the pieces that it consists of, in order. */
export interface PassageText {
  head: string
  pieces: readonly string[]
}

/** Vectors of length 1 of a passage and of each of its pieces, in context; a piece without words has none. */
export interface PassageVectors {
  passage: Float32Array
  pieces: (Float32Array | undefined)[]
}

/** multilingual-e5-small for French and English. Each call blocks the thread until the vectors are there. */
export interface E5 {
  question(text: string): Float32Array
  passage(text: PassageText): PassageVectors
}

/** A question has 1,000 characters at most, and means what its first hundred words say. */
const maxQuestionTokens = 192
/**
 * Time grows with the square of the tokens read together, and the model reads 512 at most: a longer passage is
 * read in parts.
 */
const maxTokens = 256
const maxHeadTokens = 64

/** Opens the model that comes with the program. `folder`: where the built program unpacks what it needs. */
export async function openE5(folder: string): Promise<E5> {
  const files = await filesOnDisk(folder)
  const tokenizer = new Tokenizer(await Bun.file(files.tokenizer).json(), {})
  const session = openOnnxSession(files)
  const tokenIds = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids
  const { ids: framed } = tokenizer.encode("a")
  const [begin, end] = [framed[0] as number, framed.at(-1) as number]

  return {
    question(text) {
      const tokens = [begin, ...tokenIds(`query: ${text}`).slice(0, maxQuestionTokens), end]
      return withLengthOne(sumStates(session.run(tokens), 0, tokens.length))
    },

    passage({ head, pieces }) {
      const start = [begin, ...tokenIds(`passage: ${head}`).slice(0, maxHeadTokens)]
      const room = maxTokens - start.length - 1
      const whole = new Float32Array(e5Size)
      const vectors: (Float32Array | undefined)[] = []
      for (const part of packPieces(
        pieces.map((piece) => tokenIds(piece).slice(0, room)),
        room,
      )) {
        const tokens = [...start, ...part.flat(), end]
        const states = session.run(tokens)
        add(whole, sumStates(states, 0, tokens.length))
        let at = start.length
        for (const piece of part) {
          const sum = sumStates(states, at, at + piece.length)
          vectors.push(piece.length > 0 ? withLengthOne(sum) : undefined)
          at += piece.length
        }
      }
      return { passage: withLengthOne(whole), pieces: vectors }
    },
  }
}

/** Pieces in a row that fit together into `room` tokens; one part, without a piece, when there are none. */
function packPieces(pieces: readonly number[][], room: number): number[][][] {
  const parts: number[][][] = [[]]
  let length = 0
  for (const piece of pieces) {
    if (length + piece.length > room && length > 0) {
      parts.push([])
      length = 0
    }
    parts.at(-1)?.push(piece)
    length += piece.length
  }
  return parts
}

/** Sum of the states of the tokens from `from` up to but not including `to`. */
function sumStates(states: Float32Array, from: number, to: number): Float32Array {
  const sum = new Float32Array(e5Size)
  for (let token = from; token < to; token++) {
    const offset = token * e5Size
    for (let at = 0; at < e5Size; at++) (sum[at] as number) += states[offset + at] as number
  }
  return sum
}

function add(to: Float32Array, vector: Float32Array): void {
  for (let at = 0; at < e5Size; at++) (to[at] as number) += vector[at] as number
}

function withLengthOne(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector) || 1
  return vector.map((value) => value / length)
}
