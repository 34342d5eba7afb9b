import { type Embedder, unitVector } from "../../src/index/embedding/embedder.ts"
import type { Passage } from "../../src/reading/formats/document.ts"
import { bagOfStems } from "./models/behaviour.ts"
import { passage } from "./passages.ts"

/** Passages of a few words out of many, some words more frequent than others; the same in every process. */
export function wordyPassages(count: number): Passage[] {
  let state = 1
  const random = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state / 2 ** 32
  }
  return Array.from({ length: count }, (_, at) => {
    const words = Array.from({ length: 20 }, () => word(Math.floor(2000 ** random())))
    return passage(`page${at}`, "Page", words.join(" "))
  })
}

/** The tests' embedder, folded to a size. */
export function stemVector(text: string, size: number): Float32Array {
  const folded = new Array<number>(size).fill(0)
  for (const [at, value] of bagOfStems(text).entries())
    folded[at % size] = (folded[at % size] as number) + value
  return unitVector(folded) as Float32Array
}

export function stemEmbedder(name: string, size: number): Embedder {
  return {
    name,
    vectorsOf: async (passages) =>
      passages.map(({ markdown }) => ({ vector: stemVector(markdown, size), pieces: new Uint8Array(0) })),
  }
}

/** Cosines of the embedded model lie between .8 and .95, whatever is compared. */
export function e5LikeVector(text: string): Float32Array {
  const own = stemVector(text, 256)
  return Float32Array.from([Math.sqrt(0.8), ...own.map((value) => value * Math.sqrt(0.2))])
}

export function e5LikeEmbedder(name: string): Embedder {
  return {
    name,
    vectorsOf: async (passages) =>
      passages.map(({ title, markdown }) => ({
        vector: e5LikeVector(`${title} ${markdown}`),
        pieces: new Uint8Array(0),
      })),
  }
}

/** Looks like none of a language, so that its stem is itself. */
function word(number: number): string {
  return `zu${number.toString(36).replace(/\d/g, (digit) => "bcdfghjklm"[Number(digit)] as string)}ku`
}
