/** Words that mean the same in a question, and so count as one. */
export interface OneOf {
  /** Stands for all of them where words are counted. No term of the index is equal to it. */
  term: string
  alternatives: readonly Alternative[]
}

export interface Alternative {
  /** A phrase has several. */
  terms: readonly string[]
  /** Multiplies the score of these terms, so that the alternatives of a word score alike. */
  scale: number
}

/** Adds the term of each `OneOf` of which the terms hold an alternative. */
export function withOneOf(terms: ReadonlySet<string>, oneOf: readonly OneOf[]): ReadonlySet<string> {
  const found = oneOf.filter(({ alternatives }) =>
    alternatives.some((alternative) => alternative.terms.every((term) => terms.has(term))),
  )
  return found.length === 0 ? terms : terms.union(new Set(found.map(({ term }) => term)))
}

/** As `withOneOf`, for the terms of consecutive words: at the place where an alternative begins. */
export function wordsWithOneOf(words: readonly string[][], oneOf: readonly OneOf[]): readonly string[][] {
  if (oneOf.length === 0) return words
  const byFirst = Map.groupBy(
    oneOf.flatMap(({ term, alternatives }) => alternatives.map(({ terms }) => ({ term, terms }))),
    ({ terms }) => terms[0],
  )
  return words.map((terms, at) => {
    const found = terms
      .flatMap((first) => byFirst.get(first) ?? [])
      .filter((alternative) => alternative.terms.every((term, offset) => words[at + offset]?.includes(term)))
    return found.length === 0 ? terms : [...new Set([...terms, ...found.map(({ term }) => term)])]
  })
}
