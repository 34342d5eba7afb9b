import type { Language } from "../../accounts/project.ts"
import { cosine } from "../../index/embedding/embedder.ts"
import { analyse } from "../../index/text/analyse.ts"

/** A question as it is compared with others. */
export interface ComparedQuestion {
  terms: ReadonlySet<string>
  /** Terms with a digit, sorted: versions, sizes and dates have to be the same. */
  numbers: string
  /** By the embedded model, scaled to length 1; undefined without one. */
  vector: Float32Array | undefined
}

/**
 * Least cosine of two questions that ask for the same, by the embedded model's vectors. Fitted, like `minShared`, by
 * `bun test/bench/fit-chosen.ts`; see decision 021.
 */
export const minCosine = 0.95
/** Least share of words in common (Dice's coefficient): sentences of one build are near whatever they are about. */
export const minShared = 0.4

export function comparedQuestion(text: string, language: Language, vector: Float32Array | undefined) {
  const terms = new Set(analyse(text, language))
  const numbers = [...terms].filter((term) => /\d/.test(term)).sort()
  return { terms, numbers: numbers.join(" "), vector }
}

/** The same words, in whatever order and form. */
export function hasSameWords(one: ComparedQuestion, other: ComparedQuestion): boolean {
  return one.terms.size > 0 && one.terms.size === other.terms.size && one.terms.isSubsetOf(other.terms)
}

/** 1 for the same words, the cosine where it says that both ask for the same, and 0 where they do not. */
export function likeness(one: ComparedQuestion, other: ComparedQuestion): number {
  if (hasSameWords(one, other)) return 1
  if (!one.vector || !other.vector || one.numbers !== other.numbers) return 0
  if (sharedWords(one, other) < minShared) return 0
  const near = cosine(one.vector, other.vector)
  return near >= minCosine ? near : 0
}

export function sharedWords({ terms }: ComparedQuestion, other: ComparedQuestion): number {
  const sizes = terms.size + other.terms.size
  return sizes === 0 ? 0 : (2 * terms.intersection(other.terms).size) / sizes
}
