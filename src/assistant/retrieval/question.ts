import type { Language } from "../../accounts/project.ts"
import { withoutAccents } from "../../base/text.ts"
import type { WeightedTerms } from "../index/lance.ts"
import { meantBy } from "../index/spelling.ts"
import type { Vocabulary } from "../index/vocabulary.ts"
import { analyse, wordsIn } from "../text/analyse.ts"

/** A question as the documentation's own vocabulary sees it. */
export interface Question {
  /** What is looked for: its own terms, and for less those of earlier questions. */
  terms: WeightedTerms[]
  /** Each different word once, those of earlier questions after its own. */
  words: QuestionWord[]
  /** Terms of the names in it: what has a capital and does not begin the sentence. */
  names: string[][]
  asksWho: boolean
  asksQuantity: boolean
}

export interface QuestionWord {
  term: string
  /** Whether the documentation uses it as it was typed. */
  isKnown: boolean
  /** In how many passages the documentation uses it, or what it was meant to be. */
  frequency: number
  idf: number
  /** What it counts: 1, or less when it comes from an earlier question. */
  weight: number
}

/** What the words of earlier questions count beside those of the question itself. */
const contextWeight = 0.5

export function readQuestion(
  { question, previous }: { question: string; previous: readonly { question: string }[] },
  language: Language,
  vocabulary: Vocabulary,
): Question {
  const own = spelledWords([question], language, vocabulary)
  const context = spelledWords(
    previous.map((turn) => turn.question),
    language,
    vocabulary,
  )
  const ownTerms = new Set(own.flatMap(({ terms }) => terms))
  const contextTerms = new Set(context.flatMap(({ terms }) => terms)).difference(ownTerms)
  const words = new Map<string, QuestionWord>()
  const add = (spelled: SpelledWord[], weight: number) => {
    for (const { terms, isKnown } of spelled)
      for (const term of countedTerms(terms, vocabulary)) {
        const frequency = vocabulary.frequency(term)
        // A word that is nowhere weighs as much as the rarest: how much more it would says only how small the
        // documentation is.
        const idf = inverseFrequency(Math.max(frequency, 1), vocabulary.passages)
        if (!words.has(term))
          words.set(term, { term, isKnown: isKnown && frequency > 0, frequency, idf, weight })
      }
  }
  add(own, 1)
  add(context, contextWeight)
  const meant = new Map(own.flatMap(({ typed, terms }) => typed.map((term) => [term, terms])))
  return {
    terms: [
      { terms: rarest(ownTerms, mostTerms, vocabulary), weight: 1 },
      { terms: rarest(contextTerms, mostContextTerms, vocabulary), weight: contextWeight },
    ],
    words: [...words.values()],
    names: [...question.matchAll(name)]
      .map(([found]) => analyse(found, language).flatMap((term) => meant.get(term) ?? [term]))
      .filter((terms) => terms.length > 0),
    asksWho: who[language].test(question.trim()),
    asksQuantity: quantity[language].test(question),
  }
}

/**
 * Looked for at most. The time that a search takes grows faster than its terms do: over 40,000 passages 10
 * took 5 ms, 150 took 50, and the 500 that a question may have 370. Nobody's sentences come near to that.
 */
const mostTerms = 120
const mostContextTerms = 60

/** Those that the fewest passages hold, in their order. */
function rarest(terms: ReadonlySet<string>, most: number, vocabulary: Vocabulary): string[] {
  if (terms.size <= most) return [...terms]
  const used = [...terms].flatMap((term) => {
    const frequency = vocabulary.frequency(term)
    return frequency > 0 ? [{ term, frequency }] : []
  })
  const kept = new Set(used.toSorted((one, other) => one.frequency - other.frequency).slice(0, most))
  return used.filter((found) => kept.has(found)).map(({ term }) => term)
}

/** BM25's inverse document frequency, never negative. */
export function inverseFrequency(frequency: number, passages: number): number {
  return Math.log(1 + (passages - frequency + 0.5) / (frequency + 0.5))
}

interface SpelledWord {
  /** Its terms as they were typed. */
  typed: string[]
  /** As the documentation spells it. */
  terms: string[]
  isKnown: boolean
}

/**
 * The words of some texts as the documentation spells them, without those that only say how a question is
 * put.
 */
function spelledWords(texts: readonly string[], language: Language, vocabulary: Vocabulary): SpelledWord[] {
  let unknown = 0
  return texts.flatMap((text) => {
    const asked = withoutAccents(text).replace(courtesy[language], " ")
    const phrases = new Set(analyse((asked.match(phrasing[language]) ?? []).join(" "), language))
    return wordsIn(asked, language).flatMap(({ letters, terms }) => {
      const [whole = "", ...parts] = terms
      if (vocabulary.frequency(whole) > 0) return { typed: terms, terms, isKnown: true }
      if (terms.some((term) => phrases.has(term))) return []
      const meant = ++unknown > mostMistyped ? undefined : meantBy(letters, language, vocabulary)
      if (meant)
        return meant.length === 0 ? [] : { typed: terms, terms: [...meant, ...parts], isKnown: false }
      return { typed: terms, terms, isKnown: parts.some((part) => vocabulary.frequency(part) > 0) }
    })
  })
}

/**
 * Whoever writes more words that the documentation never uses did not mistype them, and each takes some
 * milliseconds.
 */
const mostMistyped = 5

/** A compound that the documentation never uses as such stands for its parts. */
function countedTerms([whole, ...parts]: string[], vocabulary: Vocabulary): string[] {
  return parts.length === 0 || vocabulary.frequency(whole as string) > 0 ? [whole as string] : parts
}

/**
 * How a question is put, beyond the stop words. Where the documentation uses such a word it counts as any
 * other; where it does not, that tells nothing about whether it answers.
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

/** What is said to whoever answers, whatever the documentation is about. */
const courtesy: Record<Language, RegExp> = {
  fr: wordsOrPhrases(
    "(?:un grand )?merci (?:beaucoup|bien|infiniment|d['’]avance|par avance|pour (?:votre|ton) (?:aide|reponse|retour))|" +
      "je (?:vous|te) remercie(?: (?:beaucoup|bien|infiniment|d['’]avance|par avance))?|vous remerciant(?: d['’]avance| par avance)?|" +
      "au revoir|a bientot|bonne (?:journee|soiree|nuit|continuation)|bon (?:courage|week-?end)|" +
      "(?:bien )?cordialement|bien a vous|excusez[- ]moi|s['’]il (?:vous|te) plait",
  ),
  en: wordsOrPhrases(
    "thank you(?: (?:very|so) much)?|many thanks|thanks (?:a lot|in advance)|good ?bye|" +
      "have a (?:nice|good|great) (?:day|evening|weekend)|(?:kind|best) regards|excuse me|good (?:morning|afternoon|evening)",
  ),
}

function wordsOrPhrases(alternatives: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives})(?![\\p{L}\\p{N}])`, "giu")
}

const name = /\p{Lu}(?<=[^\s.?!:]\s+(?:\p{Ll}{1,2}['’])?\p{Lu})[\p{L}-]+/gu
const who: Record<Language, RegExp> = {
  fr: /^(?:(?:à|a|de|par|avec) )?qui\b/i,
  en: /^who(?:m|se)?\b/i,
}
const quantity: Record<Language, RegExp> = {
  fr: /\bcombien\b|\bquand (?:a|ont|est|sort|les?|la)\b|\bquelle? (?:âge|prix|taille|longueur|hauteur|distance|date|année|score|salaire)\b|^(?:prix|date|tarif)\b/i,
  en: /\bhow (?:many|much|often|long|old|tall|far)\b|^when\b|\bwhat (?:year|date|price|age|size)\b/i,
}
