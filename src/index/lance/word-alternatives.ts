/** Words that mean the same in a question, and so count as one. */
export interface WordAlternatives {
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

/** Adds the term of each entry if `terms` hold one of its alternatives. */
export function withAlternatives(
  terms: ReadonlySet<string>,
  wordAlternatives: readonly WordAlternatives[],
): ReadonlySet<string> {
  const matching = wordAlternatives.filter(({ alternatives }) =>
    alternatives.some((alternative) => alternative.terms.every((term) => terms.has(term))),
  )
  return matching.length === 0 ? terms : terms.union(new Set(matching.map(({ term }) => term)))
}

/** Like `withAlternatives`, for the terms of consecutive words: at the place where an alternative begins. */
export function wordsWithAlternatives(
  words: readonly string[][],
  wordAlternatives: readonly WordAlternatives[],
): readonly string[][] {
  if (wordAlternatives.length === 0) return words
  const byFirst = Map.groupBy(
    wordAlternatives.flatMap(({ term, alternatives }) => alternatives.map(({ terms }) => ({ term, terms }))),
    ({ terms }) => terms[0],
  )
  return words.map((terms, at) => {
    const matching = terms
      .flatMap((first) => byFirst.get(first) ?? [])
      .filter((alternative) => alternative.terms.every((term, offset) => words[at + offset]?.includes(term)))
    return matching.length === 0 ? terms : [...new Set([...terms, ...matching.map(({ term }) => term)])]
  })
}
