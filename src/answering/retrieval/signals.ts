import type { Language } from "../../accounts/project.ts"
import type { RankedPassage } from "../../index/lance/lance.ts"
import { memoizePerPassage } from "../../index/lance/passage-cache.ts"
import { withAlternatives, wordsWithAlternatives } from "../../index/lance/word-alternatives.ts"
import { analyse, analyseWords } from "../../index/text/analyse.ts"
import { type Passage, withoutLinkTargets } from "../../reading/formats/document.ts"
import { givesFact } from "./asked-fact.ts"
import { inverseFrequency, type Question, type QuestionWord } from "./question.ts"

/** Inputs of the decision to answer. Where a signal is a share of the question, words weigh by their idf. */
export interface Signals {
  /**
   * Score of the best passage, divided by the summed idf of the question's words. The parts of a compound, which
   * are searched with it, score together at most as one word.
   */
  relativeScore: number
  /** Share of the question that occurs in title and headings of the best passage. */
  headCoverage: number
  /** Share of the question that occurs in the best window: 30 consecutive words of one of the best passages. */
  windowCoverage: number
  /** Number of the question's words in that window; 4 or more make 1. */
  windowWords: number
  /** Number of the question's words in the best passage; 4 or more make 1. */
  passageWords: number
  /** Share of its words, unweighted, that the documentation does not use as they were typed. */
  unknownShare: number
  /** Rarity of its rarest known word, 0 to 1. */
  rarity: number
  /** Number of its names that the best passage lacks; 2 or more make 1. */
  namesMissing: number
  /** 1 when the question asks for a person and the best passage names nobody, as documentations seldom do. */
  asksWho: number
  /** 1 when the question asks for a number or a date and the best passage has none. */
  quantityMissing: number
}

/** Coefficient of each signal in the logit. */
export type Weights = Record<keyof Signals, number>

const windowLength = 30
/** Number of best passages whose windows are searched. */
const windowPassages = 3
const manyWords = 4

export function measureRetrieval(
  question: Question,
  ranked: readonly RankedPassage[],
  language: Language,
  passages: number,
): Signals {
  const best = ranked[0]
  const own = question.words.filter(({ isOwn }) => isOwn)
  const total = idfSum(question.words)
  if (!best || own.length === 0 || total === 0) return noSignals
  const wordsInIndex = question.words.filter(({ frequency }) => frequency > 0)
  const { wordAlternatives } = question
  const head = withAlternatives(new Set(headTerms(best.passage, language)), wordAlternatives)
  const all = withAlternatives(passageTerms(best.passage, language), wordAlternatives)
  const window = bestWindow(ranked.slice(0, windowPassages), wordsInIndex, wordAlternatives, language)
  return {
    relativeScore: (best.score * countedShare(question.words, all)) / total,
    headCoverage: idfSum(wordsIn(wordsInIndex, head)) / total,
    windowCoverage: idfSum(window) / total,
    windowWords: upToMany(weightSum(window)),
    passageWords: upToMany(weightSum(wordsIn(wordsInIndex, all))),
    unknownShare: weightSum(own.filter(({ isKnown }) => !isKnown)) / weightSum(own),
    rarity: Math.max(0, ...wordsInIndex.map(({ idf }) => idf)) / inverseFrequency(1, passages),
    namesMissing:
      Math.min(question.names.filter((terms) => !terms.some((term) => all.has(term))).length, 2) / 2,
    asksWho: question.asksWho && !namesSomebody(best.passage.markdown) ? 1 : 0,
    quantityMissing: question.asksQuantity && !quantity.test(best.passage.markdown) ? 1 : 0,
  }
}

/** Signals of a question that shares no word with any passage. */
export const noSignals: Signals = {
  relativeScore: 0,
  headCoverage: 0,
  windowCoverage: 0,
  windowWords: 0,
  passageWords: 0,
  unknownShare: 1,
  rarity: 0,
  namesMissing: 0,
  asksWho: 0,
  quantityMissing: 0,
}

/**
 * The question's words that occur in the best window of the passages. Slides over each passage once, however
 * often it repeats words.
 */
function bestWindow(
  ranked: readonly RankedPassage[],
  known: QuestionWord[],
  wordAlternatives: Question["wordAlternatives"],
  language: Language,
): QuestionWord[] {
  const byTerm = new Map(known.map((word) => [word.term, word]))
  let best: QuestionWord[] = []
  let bestSum = 0
  for (const { passage } of ranked) {
    const words = wordsWithAlternatives(
      [headTerms(passage, language), ...bodyWords(passage, language)],
      wordAlternatives,
    )
    const matches = words.map((terms) => wordsOfTerms(terms, byTerm))
    /** Occurrences of each word in the window. */
    const occurrences = new Map<QuestionWord, number>()
    let sum = 0
    for (const [at, entering] of matches.entries()) {
      for (const word of matches[at - windowLength] ?? []) {
        const count = (occurrences.get(word) as number) - 1
        if (count > 0) occurrences.set(word, count)
        else {
          occurrences.delete(word)
          sum -= word.idf * word.weight
        }
      }
      for (const word of entering) {
        const count = occurrences.get(word) ?? 0
        occurrences.set(word, count + 1)
        if (count === 0) sum += word.idf * word.weight
      }
      // Adding and subtracting leaves rounding errors in the last digits.
      if (sum <= bestSum + 1e-9) continue
      best = [...occurrences.keys()]
      bestSum = idfSum(best)
    }
  }
  return best
}

const none: readonly QuestionWord[] = []

/** Nearly every word of a passage is none of the question's. */
function wordsOfTerms(
  terms: readonly string[],
  byTerm: ReadonlyMap<string, QuestionWord>,
): readonly QuestionWord[] {
  let found: QuestionWord[] | undefined
  for (const term of terms) {
    const word = byTerm.get(term)
    if (!word) continue
    found ??= []
    found.push(word)
  }
  return found ?? none
}

export const headTerms = memoizePerPassage(({ title, headings }: Passage, language: Language) =>
  analyse([title, ...headings].join("\n"), language),
)

/** Terms of the heading of each joined section; empty in a passage that is one section. */
export const sectionHeadTerms = memoizePerPassage(({ sections = [] }: Passage, language: Language) =>
  sections.map(({ heading }) => analyse(heading ?? "", language)),
)

export const bodyWords = memoizePerPassage(({ markdown }: Passage, language: Language) =>
  analyseWords(withoutLinkTargets(markdown), language),
)

export const passageTerms = memoizePerPassage(
  (passage: Passage, language: Language): ReadonlySet<string> =>
    new Set([...headTerms(passage, language), ...bodyWords(passage, language).flat()]),
)

/**
 * Share of the score of a passage with these terms that remains when the parts of each compound score together
 * at most as one word. 1 for a question without compounds. The score is taken to be spread as the idf of the
 * terms.
 */
function countedShare(words: readonly QuestionWord[], terms: ReadonlySet<string>): number {
  let scored = 0
  let counted = 0
  for (const { term, parts, idf, searchWeight, weight } of words) {
    const own = terms.has(term) ? idf : 0
    const rest = parts.reduce((sum, part) => sum + (terms.has(part.term) ? part.idf : 0), 0)
    scored += searchWeight * (own + rest)
    counted += weight * (own + Math.min(rest, idf))
  }
  return scored === 0 ? 1 : counted / scored
}

function wordsIn(words: QuestionWord[], terms: ReadonlySet<string>): QuestionWord[] {
  return words.filter(({ term }) => terms.has(term))
}

function idfSum(words: readonly QuestionWord[]): number {
  return words.reduce((total, { idf, weight }) => total + idf * weight, 0)
}

function weightSum(words: readonly QuestionWord[]): number {
  return words.reduce((total, { weight }) => total + weight, 0)
}

function upToMany(words: number): number {
  return Math.min(words, manyWords) / manyWords
}

/** Whether a text names a person; « de 1982 à 1986 » names who no longer is. */
function namesSomebody(text: string): boolean {
  return givesFact(text, "person", "") && !termOfOffice.test(text)
}

const termOfOffice = /(?<!\d)(?:19|20)\d\d ?(?:à|au|-|–|to|until) ?(?:19|20)\d\d(?!\d)/u

/** A number on its own, a word for one, or a unit of time. */
const quantity =
  /(?<![\p{L}\w.])\d+|(?<!\p{L})(?:deux|trois|quatre|cinq|six|sept|huit|dix|two|three|four|five|seven|eight|ten|year|month|week|day|mois|semaine|an|année|jour|heure|hour|minute)s?(?!\p{L})/iu
