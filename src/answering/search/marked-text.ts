import type { Language } from "../../accounts/project.ts"
import {
  findableWords,
  type HeadingWord,
  joinedLetters,
  joinedWords,
} from "../../index/lance/heading-words.ts"
import { analyse } from "../../index/text/analyse.ts"
import type { MatchedWord } from "./query.ts"

/** A text of a found page, and where the words that were searched stand in it. */
export interface MarkedText {
  text: string
  /** In order; offsets are UTF-16 code units. */
  marks: Mark[]
}

export interface Mark {
  from: number
  to: number
}

/** Marks the words that were typed, and the beginning that was typed of a word. */
export type Marker = (text: string) => MarkedText

export function wordMarker(words: readonly MatchedWord[], language: Language): Marker {
  const wanted = words.filter(({ isOptional }) => !isOptional)
  const terms = new Set(wanted.flatMap((word) => word.terms))

  function lengthOfMark(letters: string, written: string): number {
    for (const word of wanted) {
      if (letters === word.letters) return written.length
      // Where folding changes no length, the marked beginning is as long as the typed one.
      if (word.isBeginning && letters.startsWith(word.letters))
        return letters.length === written.length ? word.letters.length : written.length
    }
    const isMeant =
      wanted.some(({ corrected }) => corrected.has(letters)) ||
      analyse(letters, language).some((term) => terms.has(term)) ||
      wanted.some((word) => findableWords(written).has(word.letters))
    return isMeant ? written.length : 0
  }

  function markOf(text: string, letters: string | undefined, from: number, to: number): Mark[] {
    const length = letters === undefined ? 0 : lengthOfMark(letters, text.slice(from, to))
    return length > 0 ? [{ from, to: from + length }] : []
  }

  return (text) => ({
    text,
    marks: joinedWords(text).flatMap((words) => {
      const ofParts = words.flatMap(({ letters, from, to }) => markOf(text, letters, from, to))
      if (ofParts.length > 0 || words.length === 1) return ofParts
      // « wifi » is « Wi-Fi », and « rdv » is « rendez-vous ».
      const [first, last] = [words[0], words.at(-1)] as [HeadingWord, HeadingWord]
      return markOf(text, joinedLetters(words), first.from, last.to)
    }),
  })
}
