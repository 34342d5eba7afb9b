import type { Passage } from "../documents/document.ts"

/** Gives passages vectors, each of length 1: what means the same lies near. */
export interface Embedder {
  /** Another one for vectors that cannot be compared: an index made by another is built again. */
  name: string
  /** In the order of the passages. Throws Refusal `unavailable` when they cannot be had. */
  vectorsOf(passages: readonly Passage[]): Promise<Float32Array[]>
}

/** What an index knows of its vectors. */
export interface Embedded {
  name: string
  size: number
  /**
   * How near two passages of this documentation seldom are to each other: the cosine that 98 % of pairs stay below. A question
   * that comes that near to one is about it, whatever the scale on which a model's cosines lie.
   */
  nearness: number
}

/** Some passages stand for all. */
const sampled = 150

const farPairs = 0.98

/** Of the pairs of some vectors, evenly taken; 1 when there are no pairs. */
export function nearnessOf(vectors: readonly Float32Array[]): number {
  const step = Math.max(1, Math.floor(vectors.length / sampled))
  const some = vectors.filter((_, at) => at % step === 0).slice(0, sampled)
  const cosines = some.flatMap((one, at) => some.slice(at + 1).map((other) => cosine(one, other)))
  cosines.sort((one, other) => one - other)
  return cosines[Math.floor(cosines.length * farPairs)] ?? 1
}

/** Of vectors of length 1. */
export function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += (one[at] as number) * (other[at] as number)
  return sum
}

/** The vector with length 1; undefined when it has no direction. */
export function normalised(values: readonly number[]): Float32Array | undefined {
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0))
  return length > 0 && Number.isFinite(length)
    ? Float32Array.from(values, (value) => value / length)
    : undefined
}
