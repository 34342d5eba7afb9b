import type { Language } from "../../workspaces/project.ts"
import { analyse, analyseWords } from "./analyse.ts"
import type { Vocabulary } from "./vocabulary.ts"

/** A question as the documentation's own vocabulary sees it. */
export interface Question {
  /** Each different word once, those of earlier questions after its own. */
  words: QuestionWord[]
  /** Terms of the names in it: what has a capital and does not begin the sentence. */
  names: string[][]
  asksWho: boolean
  asksQuantity: boolean
}

export interface QuestionWord {
  term: string
  /** In how many passages the documentation uses it. */
  frequency: number
  idf: number
  /** What it counts: 1, or less when it comes from an earlier question. */
  weight: number
}

/** What the words of earlier questions count beside those of the question itself. */
export const contextWeight = 0.5

export function readQuestion(
  { question, previous }: { question: string; previous: readonly { question: string }[] },
  language: Language,
  vocabulary: Vocabulary,
): Question {
  const words = new Map<string, QuestionWord>()
  const add = (text: string, weight: number) => {
    for (const term of wordsOf(text, language, vocabulary)) {
      const frequency = vocabulary.frequency(term)
      const idf = inverseFrequency(frequency, vocabulary.passages)
      if (!words.has(term)) words.set(term, { term, frequency, idf, weight })
    }
  }
  add(question, 1)
  for (const turn of previous) add(turn.question, contextWeight)
  return {
    words: [...words.values()],
    names: [...question.matchAll(name)]
      .map(([found]) => analyse(found, language))
      .filter((terms) => terms.length > 0),
    asksWho: who[language].test(question.trim()),
    asksQuantity: quantity[language].test(question),
  }
}

/** BM25's inverse document frequency, never negative. */
export function inverseFrequency(frequency: number, passages: number): number {
  return Math.log(1 + (passages - frequency + 0.5) / (frequency + 0.5))
}

/** A compound that the documentation never uses as such stands for its parts. */
function wordsOf(text: string, language: Language, vocabulary: Vocabulary): string[] {
  return analyseWords(text, language).flatMap(([whole, ...parts]) =>
    parts.length === 0 || vocabulary.frequency(whole as string) > 0 ? [whole as string] : parts,
  )
}

const name = /(?<=[^\s.?!:]\s+(?:\p{Ll}{1,2}['’])?)\p{Lu}[\p{L}-]+/gu
const who: Record<Language, RegExp> = {
  fr: /^(?:(?:à|a|de|par|avec) )?qui\b/i,
  en: /^who(?:m|se)?\b/i,
}
const quantity: Record<Language, RegExp> = {
  fr: /\bcombien\b|\bquand (?:a|ont|est|sort|les?|la)\b|\bquelle? (?:âge|prix|taille|longueur|hauteur|distance|date|année|score|salaire)\b|^(?:prix|date|tarif)\b/i,
  en: /\bhow (?:many|much|often|long|old|tall|far)\b|^when\b|\bwhat (?:year|date|price|age|size)\b/i,
}
