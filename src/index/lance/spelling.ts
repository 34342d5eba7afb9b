import type { Language } from "../../accounts/project.ts"
import { analyse, termOfLetters } from "../text/analyse.ts"
import { isWord, isWordOf } from "../text/lexicon.ts"
import type { Vocabulary } from "./vocabulary.ts"

/**
 * Corrects the spelling of a word that neither the documentation uses nor a dictionary knows. Returns the
 * term of the French word behind a lost apostrophe, else that of the word one typing error away that the
 * documentation uses most; none when that is a stop word; undefined when no such word is known.
 * `letters`: lower case, without accents.
 */
export function correctedTerms(letters: string, language: Language, vocabulary: Vocabulary) {
  const accented = language === "fr" ? termsWithAccent(letters, vocabulary) : undefined
  if (accented || isWord(letters)) return accented
  return (
    (language === "fr" ? termsBehindElision(letters) : undefined) ??
    nearestTerms(letters, language, vocabulary)
  )
}

/** « livré » as « livre », in a documentation without books. */
function termsWithAccent(letters: string, vocabulary: Vocabulary): string[] | undefined {
  const [term] = analyse(letters.replace(/e(?=s?$)/, "é"), "fr")
  const isOther = term !== undefined && !analyse(letters, "fr").includes(term)
  return isOther && vocabulary.frequency(term) > 0 ? [term] : undefined
}

/** « linscription », « jaimerai », « quon ». */
function termsBehindElision(letters: string): string[] | undefined {
  const rest = lostApostrophe.exec(letters)?.[1]
  if (rest === undefined || !isWordOf("fr", rest)) return undefined
  const term = termOfLetters(rest, "fr")
  return term === undefined ? [] : [term]
}

const lostApostrophe = /^(?:(?:jus|lors|puis)?qu|[cdjlmnst])([aeiouyh][a-z]+)$/

/** The same of a word that a dictionary may know: `instalation` is English. */
export function nearestTerms(letters: string, language: Language, vocabulary: Vocabulary) {
  if (!mayBeMistyped.test(letters)) return undefined
  let corrected: string[] | undefined
  for (const words of [shiftEdits(letters), replaceEdits(letters)]) {
    let mostUsed = 0
    for (const word of new Set(words)) {
      const term = termOfLetters(word, language)
      const frequency = term === undefined ? 0 : vocabulary.frequency(term)
      if (term === undefined) corrected ??= []
      else if (frequency > mostUsed) {
        corrected = [term]
        mostUsed = frequency
      }
    }
    if (mostUsed > 0) return corrected
  }
  return corrected
}

/**
 * Too many shorter words differ by one letter only. Longer words do not occur, and each letter costs fifty guesses.
 */
const mayBeMistyped = /^[a-z]{5,24}$/
const alphabet = [..."abcdefghijklmnopqrstuvwxyz"]

/**
 * Yields the words that lack one letter of this one, have one more, or have two neighbouring letters swapped.
 * The first letter stays, since it is seldom mistyped.
 */
function* shiftEdits(word: string): Generator<string> {
  for (let at = 1; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)]
    yield before + after.slice(1)
    if (after.length > 1) yield `${before}${after[1]}${after[0]}${after.slice(2)}`
    for (const letter of alphabet) yield before + letter + after
  }
}

/** Yields the words that differ in one letter, which is not the first. */
function* replaceEdits(word: string): Generator<string> {
  for (let at = 1; at < word.length; at++)
    for (const letter of alphabet) yield word.slice(0, at) + letter + word.slice(at + 1)
}
