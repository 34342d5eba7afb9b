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
