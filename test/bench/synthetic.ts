import { type EmbeddedPassage, type Embedder, unitVector } from "../../src/index/embedding/embedder.ts"
import type { Passage } from "../../src/reading/formats/document.ts"

/** Pseudo-random numbers from 0 to 1 (mulberry32), the same in every process. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Share of words that get a random number, because a larger documentation has a larger vocabulary. */
const newWordShare = 0.01

/**
 * Meaningless passages with the lengths, headings and word frequencies of real ones. The same on every run.
 */
export function* syntheticPassages(real: readonly Passage[], count: number): Generator<Passage> {
  const random = seeded(1)
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item
  const words = real.flatMap(({ markdown }) => markdown.split(/\s+/))
  for (let n = 0; n < count; n++) {
    const length = pick(real).markdown.split(/\s+/).length
    const { title, headings } = pick(real)
    const text = Array.from({ length }, () =>
      random() < newWordShare ? `${pick(words)}${Math.floor(random() * count)}` : pick(words),
    )
    const document = `page-${Math.floor(n / 10)}`
    yield {
      key: `${document}#${n}`,
      document,
      url: `https://docs.exemple.fr/${document}`,
      title,
      headings,
      markdown: text.join(" "),
    }
  }
}

/** Length of what is drawn, where a real vector has length 1: as far from it as passages on one subject are. */
const drift = 0.4

/** Vectors at random around real ones. The same on every run. */
export function vectorsAround(real: readonly EmbeddedPassage[]): Embedder["vectorsOf"] {
  const random = seeded(2)
  // The sum of three even numbers from -1 to 1 has variance 1.
  const deviation = () => 2 * (random() + random() + random()) - 3
  return async (passages) =>
    passages.map(() => {
      const { vector, pieces } = real[Math.floor(random() * real.length)] as EmbeddedPassage
      const scale = drift / Math.sqrt(vector.length)
      const drawn = unitVector(Array.from(vector, (value) => value + scale * deviation()))
      return { vector: drawn as Float32Array, pieces }
    })
}
