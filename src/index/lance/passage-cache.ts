import type { Language } from "../../accounts/project.ts"
import type { Passage } from "../../reading/formats/document.ts"

/**
 * Least-recently-used cache of passages, shared by all open indexes, because questions keep coming back to a
 * few passages. A passage and the results memoized for it take some 40 kB, so the cache takes some 12 MB; the
 * longest possible passages take ten times as much.
 */
const maxPassages = 300
const passages = new Map<string, Passage>()

/** Returns the cached object for `key`, or reads it. A key must never name two different passages. */
export function cachedPassage(key: string, read: () => Passage | undefined): Passage | undefined {
  const passage = passages.get(key) ?? read()
  if (!passage) return undefined
  // A map keeps insertion order, so re-inserting makes the first entry the least recently used one.
  passages.delete(key)
  passages.set(key, passage)
  if (passages.size > maxPassages) passages.delete(passages.keys().next().value as string)
  return passage
}

/**
 * Memoizes `work` for each passage object, for as long as the object lives. The language is not part of the
 * key, because a passage has only one.
 */
export function memoizePerPassage<Result, Rest extends [] | [Language]>(
  work: (passage: Passage, ...rest: Rest) => Result,
): (passage: Passage, ...rest: Rest) => Result {
  const results = new WeakMap<Passage, Result>()
  return (passage, ...rest) => {
    let result = results.get(passage)
    if (result === undefined) {
      result = work(passage, ...rest)
      results.set(passage, result)
    }
    return result
  }
}
