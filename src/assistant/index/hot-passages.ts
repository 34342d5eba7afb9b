import type { Language } from "../../accounts/project.ts"
import type { Passage } from "../documents/document.ts"

/**
 * Questions keep coming back to a few passages. The last ones, of all open indexes together, are kept with
 * what was worked out of them: some 40 kB each, 12 MB in all. The longest that there may be take ten times as
 * much.
 */
const mostKept = 300
const kept = new Map<string, Passage>()

/**
 * The passage of that name: the same object as the last time, or read. `name` is never given to another one.
 */
export function hotPassage(name: string, read: () => Passage): Passage {
  const passage = kept.get(name) ?? read()
  // A map keeps the order in which it was filled: the first is the one that was asked for least lately.
  kept.delete(name)
  kept.set(name, passage)
  if (kept.size > mostKept) kept.delete(kept.keys().next().value as string)
  return passage
}

/**
 * Work that is done once for each passage, for as long as the passage is kept. What else it takes, its
 * language, is always the same.
 */
export function oncePerPassage<Result, Rest extends [] | [Language]>(
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
