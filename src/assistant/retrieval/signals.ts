import type { Language } from "../../accounts/project.ts"
import type { Passage } from "../documents/document.ts"
import { withoutLinkTargets } from "../documents/link-targets.ts"
import { oncePerPassage } from "../index/hot-passages.ts"
import type { RankedPassage } from "../index/lance.ts"
import { analyse, analyseWords } from "../text/analyse.ts"
import { inverseFrequency, type Question, type QuestionWord } from "./question.ts"

/** What the decision to answer rests on. Shares of the question weigh each word by its idf. */
export interface Signals {
  /** Score of the best passage over the summed idf of the question's words. */
  relativeScore: number
  /** Share of the question that title and headings of the best passage hold. */
  headCoverage: number
  /** Share of the question that 30 words in a row of one of the best passages hold. */
  windowCoverage: number
  /** How many of its words those 30 hold, 4 or more being 1. */
  windowWords: number
  /** How many of its words the best passage holds, 4 or more being 1. */
  passageWords: number
  /** Share of its words, each counting the same, that the documentation never uses as they were typed. */
  unknownShare: number
  /** How rare in the documentation the rarest word is that it does use, 0 to 1. */
  rarity: number
  /** How many of its names the best passage lacks, 2 or more being 1. */
  namesMissing: number
  /** 1 when it asks for a person: documentations seldom name anybody. */
  asksWho: number
  /** 1 when it asks for a number or a date and the best passage holds none. */
  quantityMissing: number
}

/** What each signal counts for, in the logit. */
export type Weights = Record<keyof Signals, number>

const windowLength = 30
/** The best passages whose windows are looked at. */
const windowPassages = 3
const manyWords = 4

export function signalsOf(
  question: Question,
  ranked: readonly RankedPassage[],
  language: Language,
  passages: number,
): Signals {
  const best = ranked[0]
  const own = question.words.filter(({ weight }) => weight === 1)
  const total = amount(question.words)
  if (!best || own.length === 0 || total === 0) return nothing
  const known = question.words.filter(({ frequency }) => frequency > 0)
  const head = new Set(headTerms(best.passage, language))
  const all = new Set([...head, ...bodyWords(best.passage, language).flat()])
  const window = bestWindow(ranked.slice(0, windowPassages), known, language)
  return {
    relativeScore: best.score / total,
    headCoverage: amount(held(known, head)) / total,
    windowCoverage: amount(window) / total,
    windowWords: many(count(window)),
    passageWords: many(count(held(known, all))),
    unknownShare: own.filter(({ isKnown }) => !isKnown).length / own.length,
    rarity: Math.max(0, ...known.map(({ idf }) => idf)) / inverseFrequency(1, passages),
    namesMissing:
      Math.min(question.names.filter((terms) => !terms.some((term) => all.has(term))).length, 2) / 2,
    asksWho: question.asksWho ? 1 : 0,
    quantityMissing: question.asksQuantity && !quantity.test(best.passage.markdown) ? 1 : 0,
  }
}

/** Of a question that no passage shares a word with. */
const nothing: Signals = {
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
 * The words of the question that the best 30 words in a row hold. Goes through a passage once, whatever it
 * repeats.
 */
function bestWindow(
  ranked: readonly RankedPassage[],
  known: QuestionWord[],
  language: Language,
): QuestionWord[] {
  const byTerm = new Map(known.map((word) => [word.term, word]))
  let best: QuestionWord[] = []
  let most = 0
  for (const { passage } of ranked) {
    const words = [headTerms(passage, language), ...bodyWords(passage, language)]
    const asked = words.map((terms) => terms.flatMap((term) => byTerm.get(term) ?? []))
    /** How often each word stands in the window. */
    const held = new Map<QuestionWord, number>()
    let sum = 0
    for (const [at, entering] of asked.entries()) {
      for (const word of asked[at - windowLength] ?? []) {
        const times = (held.get(word) as number) - 1
        if (times > 0) held.set(word, times)
        else {
          held.delete(word)
          sum -= amount([word])
        }
      }
      for (const word of entering) {
        const times = held.get(word) ?? 0
        held.set(word, times + 1)
        if (times === 0) sum += amount([word])
      }
      // What was added and taken away leaves a trace in the last digits.
      if (sum <= most + 1e-9) continue
      best = [...held.keys()]
      most = amount(best)
    }
  }
  return best
}

const headTerms = oncePerPassage(({ title, headings }: Passage, language: Language) =>
  analyse([title, ...headings].join("\n"), language),
)

const bodyWords = oncePerPassage(({ markdown }: Passage, language: Language) =>
  analyseWords(withoutLinkTargets(markdown), language),
)

function held(words: QuestionWord[], terms: ReadonlySet<string>): QuestionWord[] {
  return words.filter(({ term }) => terms.has(term))
}

function amount(words: readonly QuestionWord[]): number {
  return words.reduce((total, { idf, weight }) => total + idf * weight, 0)
}

function count(words: readonly QuestionWord[]): number {
  return words.reduce((total, { weight }) => total + weight, 0)
}

function many(words: number): number {
  return Math.min(words, manyWords) / manyWords
}

/** A number that stands alone, or a word for one, or for a span of time. */
const quantity =
  /(?<![\p{L}\w.])\d+|(?<!\p{L})(?:deux|trois|quatre|cinq|six|sept|huit|dix|two|three|four|five|seven|eight|ten|year|month|week|day|mois|semaine|an|année|jour|heure|hour|minute)s?(?!\p{L})/iu
