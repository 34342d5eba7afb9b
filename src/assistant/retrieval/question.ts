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
    const phrases = new Set(analyse((unaccented(text).match(phrasing[language]) ?? []).join(" "), language))
    for (const term of wordsOf(text, language, vocabulary)) {
      const frequency = vocabulary.frequency(term)
      // A word that is nowhere weighs as much as the rarest: how much more it would says only how small the documentation is.
      const idf = inverseFrequency(Math.max(frequency, 1), vocabulary.passages)
      if (frequency === 0 && phrases.has(term)) continue
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

/**
 * How a question is put, beyond the stop words. Where the documentation uses such a word it counts as any other; where it does not,
 * that tells nothing about whether it answers.
 */
const phrasing: Record<Language, RegExp> = {
  fr: wordsOrPhrases(
    "combien de temps|que? se passe|qu['’]est-ce qui se passe|a quoi (?:sert|servent)|ca marche|savoir|dire|dites|expliquer|expliquez|" +
      "trouver|connaitre|possible|besoin|aide|renseignements?|exactement|vraiment|actuellement|toujours|encore|maintenant|bien|rien|" +
      "quelqu['’]un|concernant|depuis|devant|derriere|chez|vers|pendant|avant|apres|sous|selon|lors|afin|sinon",
  ),
  en: wordsOrPhrases(
    "how (?:long|much|many|often|far)|what happens|know|tell|explain|find|get|possible|exactly|actually|currently|still|really|" +
      "someone|anyone|something|anything|regarding|about|during|before|after",
  ),
}

function unaccented(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "")
}

function wordsOrPhrases(alternatives: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives})(?![\\p{L}\\p{N}])`, "giu")
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
