import type { Passage } from "../../reading/formats/document.ts"

/** Makes vectors for passages; passages of similar meaning have near vectors. */
export interface Embedder {
  /** Vectors of different names cannot be compared, so an index of another name is rebuilt. */
  name: string
  /** Returns vectors in the order of the passages. Throws Refusal `unavailable` when the model fails. */
  vectorsOf(passages: readonly Passage[]): Promise<EmbeddedPassage[]>
}

export interface EmbeddedPassage {
  /** Scaled to length 1. */
  vector: Float32Array
  /** Packed vectors of the passage's units (`piece-vectors.ts`); empty when the model gives none. */
  pieces: Uint8Array
}

/** Describes the vectors of an index. Its keys are stored with the index. */
export interface VectorInfo extends CosineScale {
  name: string
  size: number
}

/**
 * Cosines between the passages of one documentation. They calibrate a model's cosines, which lie on a scale
 * of their own with every model.
 */
export interface CosineScale {
  /** Median over all pairs: the cosine of two unrelated passages. */
  typical: number
  /** The 98th percentile over all pairs. A question this near to a passage is about it. */
  nearness: number
}

/** Passages that are sampled to measure the scale. */
const sampleSize = 150

const nearPercentile = 0.98

/** Measures the scale on an even sample of the vectors; 0 and 1 when there are no pairs. */
export function measureCosineScale(vectors: readonly Float32Array[]): CosineScale {
  const step = Math.max(1, Math.floor(vectors.length / sampleSize))
  const sample = vectors.filter((_, at) => at % step === 0).slice(0, sampleSize)
  const cosines = sample.flatMap((one, at) => sample.slice(at + 1).map((other) => cosine(one, other)))
  cosines.sort((one, other) => one - other)
  const percentile = (share: number) => cosines[Math.floor(cosines.length * share)]
  return { typical: percentile(0.5) ?? 0, nearness: percentile(nearPercentile) ?? 1 }
}

/** The cosine of two vectors of length 1. */
export function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += (one[at] as number) * (other[at] as number)
  return sum
}

/** Scales a vector to length 1; undefined for a vector without direction, such as zero. */
export function unitVector(values: readonly number[]): Float32Array | undefined {
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0))
  return length > 0 && Number.isFinite(length)
    ? Float32Array.from(values, (value) => value / length)
    : undefined
}

/** The vector of a question. */
export interface QuestionVector {
  /** Scaled to length 1. */
  own: Float32Array
  /**
   * The same without its share of the vector that questions have in common: passages that are near whatever is asked
   * lose their lead. It finds passages; only differences of its products within one documentation mean anything.
   */
  specific: Float32Array
}

/** Share of the common vector that is taken away, see decision 013. */
const commonShare = 0.35

/** `common`: the mean vector of many different questions; undefined for a model whose mean is not known. */
export function questionVector(own: Float32Array, common: Float32Array | undefined): QuestionVector {
  if (!common) return { own, specific: own }
  return { own, specific: own.map((value, at) => value - commonShare * (common[at] as number)) }
}
