import type { Language } from "../../workspaces/project.ts"
import { analyse } from "./analyse.ts"
import { isWord } from "./lexicon.ts"
import type { Vocabulary } from "./vocabulary.ts"

/**
 * The terms of what a word was meant to be that neither the documentation uses nor a dictionary knows: of the words one typing error
 * away, the one that the documentation uses most; none for a stop word. undefined: nothing is near. `letters`: lower case, without
 * accents.
 */
export function meantBy(letters: string, language: Language, vocabulary: Vocabulary): string[] | undefined {
  if (!mayBeMistyped.test(letters) || isWord(letters)) return undefined
  let meant: string[] | undefined
  for (const words of [shifted(letters), replaced(letters)]) {
    let mostUsed = 0
    for (const [term] of new Set(words).values().map((word) => analyse(word, language))) {
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

/** Of shorter words too many are one letter apart. */
const mayBeMistyped = /^[a-z]{5,}$/
const alphabet = [..."abcdefghijklmnopqrstuvwxyz"]

/** The words from which this one differs by a letter too many, one that is missing, or two that changed places; the first letter is seldom wrong. */
function shifted(word: string): string[] {
  const places = [...word].keys().drop(1).toArray()
  return [
    ...places.map((at) => word.slice(0, at) + word.slice(at + 1)),
    ...places.map(
      (at) =>
        word.slice(0, at) +
        word
          .slice(at, at + 2)
          .split("")
          .reverse()
          .join("") +
        word.slice(at + 2),
    ),
    ...[...places, word.length].flatMap((at) =>
      alphabet.map((letter) => word.slice(0, at) + letter + word.slice(at)),
    ),
  ]
}

/** The words from which this one differs by another letter. */
function replaced(word: string): string[] {
  return [...word]
    .keys()
    .drop(1)
    .toArray()
    .flatMap((at) => alphabet.map((letter) => word.slice(0, at) + letter + word.slice(at + 1)))
}
