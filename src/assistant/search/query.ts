import type { Language } from "../../accounts/project.ts"
import { nearWords } from "../../base/near-words.ts"
import type { HeadingIndex } from "../index/heading-index.ts"
import { headingWords } from "../index/heading-words.ts"
import type { PassageIndex } from "../index/lance.ts"
import { nearestTerms } from "../index/spelling.ts"
import { analyse } from "../text/analyse.ts"

/** A word that a visitor has typed. */
export interface QueryWord {
  /** Lower case, without accents. */
  letters: string
  /** Terms of the analyser; none of a word that carries no meaning. */
  terms: readonly string[]
  /** The last word: the visitor may not have finished it. */
  isBeginning: boolean
  /** Says so little that pages without it are found too: `le`, `comment`. */
  isOptional: boolean
}

/** A typed word with the words of titles that match. */
export interface MatchedWord extends QueryWord {
  /** By the place of the word in the list: how well it matches, from 0 to 1. */
  matches: ReadonlyMap<number, number>
  /** The words that were meant, where it stands in no title as it was typed. */
  corrected: ReadonlySet<string>
}

/** More words tell nothing more about a page, and each costs time. */
const maxWords = 8

export function readQuery(q: string, language: Language): QueryWord[] {
  const letters = headingWords(q).map((word) => word.letters)
  const typed = [...new Set(letters.slice(0, -1)), ...letters.slice(-1)]
  const kept = typed.length > maxWords ? [...typed.slice(0, maxWords - 1), typed.at(-1) as string] : typed
  const words = kept.map((word, at) => {
    const terms = analyse(word, language)
    return {
      letters: word,
      terms,
      isBeginning: at === kept.length - 1,
      isOptional: terms.length === 0 || word.length === 1,
    }
  })
  // A search for `comment` alone is one.
  return words.every(({ isOptional }) => isOptional)
    ? words.map((word) => ({ ...word, isOptional: false }))
    : words
}

const sameTerm = 0.9
/** Of a beginning; the rest by how much of the word it is. */
const beginning = { least: 0.7, most: 0.95 }
const misspelt = [0, 0.65, 0.5]

/**
 * Typing errors count for a word that neither titles nor texts have, and as none begins: what was meant is looked for
 * in the titles, then among the words of the texts.
 */
export function matchWord(word: QueryWord, index: PassageIndex, headings: HeadingIndex): MatchedWord {
  const { letters, isBeginning } = word
  const { words } = headings
  const found = new Map<number, number>()
  const note = (at: number, quality: number) => found.set(at, Math.max(found.get(at) ?? 0, quality))
  const noteTerms = (terms: readonly string[], quality: number) => {
    for (const term of terms) for (const at of headings.wordsOfTerm.get(term) ?? []) note(at, quality)
  }
  const first = firstFrom(words, letters)
  if (words[first] === letters) note(first, 1)
  noteTerms(word.terms, sameTerm)
  if (isBeginning)
    for (let at = first; words[at]?.startsWith(letters); at++) {
      const share = letters.length / (words[at] as string).length
      note(at, share === 1 ? 1 : beginning.least + share * (beginning.most - beginning.least))
    }
  if (found.size > 0 || isInTexts(word, index)) return { ...word, matches: found, corrected: new Set() }
  const near = nearWords(letters, words, errorsIn(letters), isBeginning)
  const fewest = Math.min(...near.map(({ errors }) => errors))
  const meant = near.filter(({ errors }) => errors === fewest)
  for (const { at, errors } of meant) note(at, misspelt[errors] as number)
  const corrected = new Set(meant.map(({ at }) => words[at] as string))
  const terms =
    corrected.size > 0
      ? termsOf(corrected, index.language)
      : (nearestTerms(letters, index.language, index) ?? [])
  if (corrected.size === 0) noteTerms(terms, misspelt[1] as number)
  return { ...word, terms, matches: found, corrected }
}

/** Terms of a word for the texts: those that have many tell no more than the first. */
const maxCorrected = 3

function termsOf(corrected: ReadonlySet<string>, language: Language): string[] {
  return analyse([...corrected].slice(0, maxCorrected).join(" "), language)
}

function isInTexts({ letters, terms, isBeginning }: QueryWord, index: PassageIndex): boolean {
  return (
    terms.length === 0 ||
    terms.some((term) => index.frequency(term) > 0) ||
    (isBeginning && index.beginningWith(letters, 1).length > 0)
  )
}

/** As in the search of Algolia and DocSearch: one error from four letters on, two from eight. */
function errorsIn(letters: string): number {
  if (letters.length < 4 || /\d/.test(letters)) return 0
  return letters.length < 8 ? 1 : 2
}

/** Binary search for the first word that is not before `letters`. */
function firstFrom(words: readonly string[], letters: string): number {
  let low = 0
  let high = words.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((words[middle] as string) < letters) low = middle + 1
    else high = middle
  }
  return low
}
