import type { Language } from "../workspaces/project.ts"
import { analyse, analyseWords } from "./analyse.ts"
import { withoutLinkTargets } from "./blocks.ts"
import type { Passage } from "./document.ts"
import type { Vocabulary } from "./vocabulary.ts"

/** What the decision to answer rests on. All but the first lie between 0 and 1. */
export interface Signals {
  /** Score of the best passage over the summed idf of the question's words. */
  relativeScore: number
  /** Share of the question's words, weighted by idf, that the best passage holds. */
  coverage: number
  /** … that its title and headings hold. */
  headCoverage: number
  /** … that its best 30 words in a row hold. */
  windowCoverage: number
  /** Share of the question's words that the documentation never uses. */
  unknownShare: number
  /** How rare in the documentation the rarest word is that it does use. */
  rarity: number
}

const windowWords = 30

export function signalsOf(
  question: string,
  language: Language,
  vocabulary: Vocabulary,
  best: { passage: Passage; score: number } | undefined,
): Signals {
  const words = questionWords(question, language, vocabulary)
  const known = words.filter((word) => word.frequency > 0)
  const total = sum(words)
  if (!best || total === 0)
    return { relativeScore: 0, coverage: 0, headCoverage: 0, windowCoverage: 0, unknownShare: 1, rarity: 0 }
  const share = (terms: ReadonlySet<string>) => sum(known.filter((word) => terms.has(word.term))) / total
  const head = analyse([best.passage.title, ...best.passage.headings].join("\n"), language)
  const body = analyseWords(withoutLinkTargets(best.passage.markdown), language)
  return {
    relativeScore: best.score / total,
    coverage: share(new Set([...head, ...body.flat()])),
    headCoverage: share(new Set(head)),
    windowCoverage: Math.max(...windows(body).map((window) => share(new Set(window.flat())))),
    unknownShare: (words.length - known.length) / words.length,
    rarity: Math.max(0, ...known.map((word) => word.idf)) / inverseFrequency(1, vocabulary.passages),
  }
}

export interface QuestionWord {
  /** The most specific of the word's terms that the documentation uses. */
  term: string
  frequency: number
  idf: number
}

/** Each different word of a question once. */
export function questionWords(question: string, language: Language, vocabulary: Vocabulary): QuestionWord[] {
  const words = new Map<string, QuestionWord>()
  for (const terms of analyseWords(question, language)) {
    const term = terms.find((candidate) => vocabulary.frequency(candidate) > 0) ?? (terms[0] as string)
    const frequency = vocabulary.frequency(term)
    words.set(term, { term, frequency, idf: inverseFrequency(frequency, vocabulary.passages) })
  }
  return [...words.values()]
}

/** BM25's inverse document frequency, never negative. */
export function inverseFrequency(frequency: number, passages: number): number {
  return Math.log(1 + (passages - frequency + 0.5) / (frequency + 0.5))
}

function windows(words: string[][]): string[][][] {
  const starts = Math.max(1, words.length - windowWords + 1)
  return Array.from({ length: starts }, (_, start) => words.slice(start, start + windowWords))
}

function sum(words: readonly QuestionWord[]): number {
  return words.reduce((total, word) => total + word.idf, 0)
}
