import type { Language } from "../../accounts/project.ts"
import { nearWords } from "../../base/near-words.ts"
import type { HeadingIndex } from "../../index/lance/heading-index.ts"
import { headingWords } from "../../index/lance/heading-words.ts"
import type { PassageIndex } from "../../index/lance/lance.ts"
import { nearestTerms } from "../../index/lance/spelling.ts"
import type { WordAlternatives } from "../../index/lance/word-alternatives.ts"
import { analyse, writtenWordsIn } from "../../index/text/analyse.ts"
import { alternativesKnown } from "../retrieval/question.ts"

/** A word that a visitor has typed, or several that have synonyms together. */
export interface QueryWord {
  /** Lower case, without accents. */
  letters: string
  /** Terms of the analyser; none of a word that carries no meaning. */
  terms: readonly string[]
  /** The last word: the visitor may not have finished it. */
  isBeginning: boolean
  /** Says so little that pages without it are found too: `le`, `comment`. */
  isOptional: boolean
  /** The owner's, of which each finds what the others do. `terms` are those of them all. */
  synonyms?: WordAlternatives | undefined
}

/** A typed word with the words of titles that match. */
export interface MatchedWord extends QueryWord {
  /** By the place of the word in the list: how well it matches, from 0 to 1. */
  matches: ReadonlyMap<number, number>
  /** Synonyms of several words: for each of these, the places of its forms in the list. */
  phrases: readonly (readonly (readonly number[])[])[]
  /** The words that were meant, where it stands in no title as it was typed. */
  corrected: ReadonlySet<string>
}

/** More words tell nothing more about a page, and each costs time. */
const maxWords = 8

export function readQuery(q: string, index: PassageIndex): QueryWord[] {
  const written = headingWords(q)
  const entries = synonymsIn(q, index)
  const typed = new Map<string, QueryWord>()
  for (const { letters, from, to } of written) {
    const entry = entries.find((each) => each.from <= from && to <= each.to)
    const within = entry ? written.filter((each) => entry.from <= each.from && each.to <= entry.to) : []
    const key = within.length > 1 ? within.map((each) => each.letters).join(" ") : letters
    const isBeginning = key === letters && to === written.at(-1)?.to
    // The last one is what is being typed, whether or not it stands before, too.
    if (isBeginning) typed.delete(key)
    typed.set(key, toQueryWord(key, isBeginning, entry?.synonyms, index.language))
  }
  const words = [...typed.values()]
  const bounded =
    words.length > maxWords ? [...words.slice(0, maxWords - 1), words.at(-1) as QueryWord] : words
  // A search for `comment` alone is one.
  return bounded.every(({ isOptional }) => isOptional)
    ? bounded.map((word) => ({ ...word, isOptional: false }))
    : bounded
}

function toQueryWord(
  letters: string,
  isBeginning: boolean,
  synonyms: WordAlternatives | undefined,
  language: Language,
): QueryWord {
  const terms = synonyms?.alternatives.flatMap((each) => each.terms) ?? analyse(letters, language)
  return { letters, terms, isBeginning, isOptional: terms.length === 0 || letters.length === 1, synonyms }
}

/** Words of one search that count with their synonyms: each of these is a search of the texts. */
const maxWithSynonyms = 2
const maxSynonyms = 4

/** The words and phrases of a text that have synonyms in the documentation, and where they stand. */
function synonymsIn(q: string, index: PassageIndex) {
  const words = index.synonyms ? writtenWordsIn(q, index.language) : []
  const terms = words.map(({ word }) => word.terms)
  const spans: { from: number; to: number; synonyms: WordAlternatives }[] = []
  for (const [at, { at: from }] of words.entries()) {
    if (spans.length === maxWithSynonyms || from < (spans.at(-1)?.to ?? 0)) continue
    const entry = index.synonyms?.entryAt(terms, at)
    const synonyms = entry && alternativesKnown(entry, index, maxSynonyms)
    const last = entry && words[at + entry.terms.length - 1]
    if (synonyms && last) spans.push({ from, to: last.at + last.written.length, synonyms })
  }
  return spans
}

const sameTerm = 0.9
/** Quality of a match by the beginning of a word: higher the more of the word was typed. */
const beginning = { least: 0.7, most: 0.95 }
const misspelt = [0, 0.65, 0.5]

/**
 * Typing errors count for a word that neither titles nor texts have, and as none begins: what was meant is looked for
 * in the titles, then among the words of the texts.
 */
export function matchWord(word: QueryWord, index: PassageIndex, headings: HeadingIndex): MatchedWord {
  const { letters, isBeginning, synonyms } = word
  const { words } = headings
  const qualities = new Map<number, number>()
  const note = (at: number, quality: number) => qualities.set(at, Math.max(qualities.get(at) ?? 0, quality))
  const noteTerms = (terms: readonly string[], quality: number) => {
    for (const term of terms) for (const at of headings.wordsOfTerm.get(term) ?? []) note(at, quality)
  }
  const first = firstFrom(words, letters)
  if (words[first] === letters) note(first, 1)
  const meant = synonyms?.alternatives.map((each) => each.terms) ?? []
  noteTerms(synonyms ? meant.filter(({ length }) => length === 1).flat() : word.terms, sameTerm)
  const phrases = meant
    .filter(({ length }) => length > 1)
    .map((terms) => terms.map((term) => headings.wordsOfTerm.get(term) ?? []))
  if (isBeginning)
    for (let at = first; words[at]?.startsWith(letters); at++) {
      const share = letters.length / (words[at] as string).length
      note(at, share === 1 ? 1 : beginning.least + share * (beginning.most - beginning.least))
    }
  if (qualities.size > 0 || synonyms || isInTexts(word, index))
    return { ...word, matches: qualities, phrases, corrected: new Set() }
  const near = nearWords(letters, words, errorsIn(letters), isBeginning)
  const fewest = Math.min(...near.map(({ errors }) => errors))
  const nearest = near.filter(({ errors }) => errors === fewest)
  for (const { at, errors } of nearest) note(at, misspelt[errors] as number)
  const corrected = new Set(nearest.map(({ at }) => words[at] as string))
  const terms =
    corrected.size > 0
      ? correctedTerms(corrected, index.language)
      : (nearestTerms(letters, index.language, index) ?? [])
  if (corrected.size === 0) noteTerms(terms, misspelt[1] as number)
  return { ...word, terms, matches: qualities, phrases, corrected }
}

/** Most terms of one corrected word that are searched in the texts: further ones add nothing. */
const maxCorrected = 3

function correctedTerms(corrected: ReadonlySet<string>, language: Language): string[] {
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
