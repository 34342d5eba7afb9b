import type { Language } from "../../accounts/project.ts"
import { termOfLetters } from "../text/analyse.ts"
import { isWord } from "../text/lexicon.ts"
import type { Vocabulary } from "./vocabulary.ts"

/**
 * The terms of what a word was meant to be that neither the documentation uses nor a dictionary knows: of the
 * words one typing error away, the one that the documentation uses most; none for a stop word. undefined:
 * nothing is near. `letters`: lower case, without accents.
 */
export function meantBy(letters: string, language: Language, vocabulary: Vocabulary): string[] | undefined {
  if (!mayBeMistyped.test(letters) || isWord(letters)) return undefined
  let meant: string[] | undefined
  for (const words of [shifted(letters), replaced(letters)]) {
    let mostUsed = 0
    for (const word of new Set(words)) {
      const term = termOfLetters(word, language)
      const frequency = term === undefined ? 0 : vocabulary.frequency(term)
      if (term === undefined) meant ??= []
      else if (frequency > mostUsed) {
        meant = [term]
        mostUsed = frequency
      }
    }
    if (mostUsed > 0) return meant
  }
  return meant
}

/**
 * Of shorter words too many are one letter apart; of longer ones there are none, and each letter makes fifty
 * guesses.
 */
const mayBeMistyped = /^[a-z]{5,24}$/
const alphabet = [..."abcdefghijklmnopqrstuvwxyz"]

/**
 * The words from which this one differs by a letter too many, one that is missing, or two that changed
 * places; the first is seldom wrong.
 */
function* shifted(word: string): Generator<string> {
  for (let at = 1; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)]
    yield before + after.slice(1)
    if (after.length > 1) yield `${before}${after[1]}${after[0]}${after.slice(2)}`
    for (const letter of alphabet) yield before + letter + after
  }
}

/** The words from which this one differs by another letter. */
function* replaced(word: string): Generator<string> {
  for (let at = 1; at < word.length; at++)
    for (const letter of alphabet) yield word.slice(0, at) + letter + word.slice(at + 1)
}
