import type { Passage } from "../documents/document.ts"

/** Gives passages vectors, each of length 1: what means the same lies near. */
export interface Embedder {
  /** Another one for vectors that cannot be compared: an index made by another is built again. */
  name: string
  /** In the order of the passages. Throws Refusal `unavailable` when they cannot be had. */
  vectorsOf(passages: readonly Passage[]): Promise<Float32Array[]>
}

/** What an index knows of its vectors. */
export interface Embedded extends Cosines {
  name: string
  size: number
}

/**
 * How near the passages of a documentation lie to one another, which says on what scale a model's cosines
 * lie.
 */
export interface Cosines {
  /** That of the middle one of all pairs: two passages that have nothing to do with each other. */
  typical: number
  /**
   * How near two passages seldom are: 98 % of pairs stay below. A question that comes that near to one is
   * about it.
   */
  nearness: number
}

/** Some passages stand for all. */
const sampled = 150

const farPairs = 0.98

/** How sure it is that a question is about the passage that is nearest to it, by its cosine: 0 to 1. */
export function surenessOf(cosine: number, { typical, nearness }: Cosines): number {
  if (cosine >= nearness) return 1
  return Math.max(0, (cosine - typical) / (nearness - typical))
}

/** Of the pairs of some vectors, evenly taken; 0 and 1 when there are no pairs. */
export function cosinesOf(vectors: readonly Float32Array[]): Cosines {
  const step = Math.max(1, Math.floor(vectors.length / sampled))
  const some = vectors.filter((_, at) => at % step === 0).slice(0, sampled)
  const cosines = some.flatMap((one, at) => some.slice(at + 1).map((other) => cosine(one, other)))
  cosines.sort((one, other) => one - other)
  const below = (share: number) => cosines[Math.floor(cosines.length * share)]
  return { typical: below(0.5) ?? 0, nearness: below(farPairs) ?? 1 }
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
