import type { Language } from "../../accounts/project.ts"
import { withoutAccents } from "../../base/text.ts"
import type { WeightedTerms } from "../../index/lance/lance.ts"
import { correctedTerms } from "../../index/lance/spelling.ts"
import type { Vocabulary } from "../../index/lance/vocabulary.ts"
import type { WordAlternatives } from "../../index/lance/word-alternatives.ts"
import { analyseSynonyms, type SynonymEntry, type Synonyms } from "../../index/synonyms/synonyms.ts"
import { analyse, wordsOfPlain } from "../../index/text/analyse.ts"
import { shortFormGroups } from "../../index/text/short-forms.ts"
import { isName, isNoun } from "./word-form.ts"

/** A question, analysed with the documentation's vocabulary. */
export interface Question {
  /** Terms to search: its own, and with less weight those of earlier questions. */
  terms: WeightedTerms[]
  /** Its words that have synonyms. `words` holds the term of each. */
  wordAlternatives: WordAlternatives[]
  /** Distinct words; those of earlier questions follow its own. */
  words: QuestionWord[]
  /** Its own words as they are written, each once. */
  written: WrittenWord[]
  /** As it was typed. */
  text: string
  /** Terms of each name: a capitalised word that does not begin a sentence. */
  names: string[][]
  asksWho: boolean
  asksQuantity: boolean
}

export interface QuestionWord {
  term: string
  /** Further terms of a compound, which are searched with it and stand nowhere else in the question. */
  parts: { term: string; idf: number }[]
  /** False for a word of an earlier question. */
  isOwn: boolean
  /** Whether the documentation uses the word as it was typed. */
  isKnown: boolean
  /** In how many passages the word occurs, after correction of its spelling. */
  frequency: number
  idf: number
  /** 1 in a single passage, near 0 where all passages hold it, and 0 where none does: such a word finds nothing. */
  specificity: number
  /** Weight of its terms in the search: 1, or less for a word of an earlier question. */
  searchWeight: number
  /**
   * How many words it counts as: `searchWeight`, shared among the known parts of a compound that is unknown
   * itself. Its unknown parts count fully, because each is missing.
   */
  weight: number
}

/** A word of the question itself, which several terms may stand for. */
export interface WrittenWord {
  /** Lower case, without accents. */
  text: string
  /** Terms that count for it: the text holds the word when it holds one of them. */
  terms: string[]
  /** Term of the whole word: `vue-i18n` rather than `vue` or `i18n`. */
  whole: string
  /** In how many passages the rarest of the terms occurs. */
  frequency: number
  isName: boolean
  isNoun: boolean
}

/** Weight of the words of earlier questions; the question's own have 1. */
const contextWeight = 0.5

export function readQuestion(
  { question, previous }: { question: string; previous: readonly { question: string }[] },
  language: Language,
  vocabulary: Vocabulary,
  synonyms?: Synonyms,
): Question {
  const correct = openCorrector(language, vocabulary)
  const own = spelledWords([question], language, vocabulary, synonyms, correct)
  const context = spelledWords(
    previous.map((turn) => turn.question),
    language,
    vocabulary,
    synonyms,
    correct,
  )
  const wordAlternatives = new Map(
    [...own, ...context].flatMap(({ wordAlternatives }) =>
      wordAlternatives ? [[wordAlternatives.term, wordAlternatives] as const] : [],
    ),
  )
  const ownTerms = new Set(own.flatMap(({ terms }) => terms))
  const contextTerms = new Set(context.flatMap(({ terms }) => terms)).difference(ownTerms)
  const words = new Map<string, QuestionWord>()
  const frequencyFor = (term: string) =>
    passageFrequency(wordAlternatives.get(term)?.alternatives ?? [{ terms: [term] }], vocabulary)
  const idfOf = (term: string) =>
    // An unknown word weighs as much as the rarest known one. Its own idf would only say how small the
    // documentation is.
    inverseFrequency(Math.max(frequencyFor(term), 1), vocabulary.passages)
  const add = (spelled: SpelledWord[], searchWeight: number) => {
    for (const { terms, isKnown } of spelled) {
      const counted = countedTerms(terms, vocabulary)
      const inDocumentation = counted.filter((term) => frequencyFor(term) > 0)
      for (const term of counted) {
        const frequency = frequencyFor(term)
        const weight = frequency > 0 ? searchWeight / inDocumentation.length : searchWeight
        const entry = words.get(term)
        // A part of a compound that also stands alone counts as the word that it then is.
        if (entry) entry.weight = Math.max(entry.weight, weight)
        else
          words.set(term, {
            term,
            parts: counted.length > 1 ? [] : terms.slice(1).map((part) => ({ term: part, idf: idfOf(part) })),
            isOwn: searchWeight === 1,
            isKnown: isKnown && frequency > 0,
            frequency,
            idf: idfOf(term),
            specificity: frequency > 0 ? 1 - (frequency - 1) / vocabulary.passages : 0,
            searchWeight,
            weight,
          })
      }
    }
  }
  add(own, 1)
  add(context, contextWeight)
  const counted = new Set(words.keys())
  for (const word of words.values())
    word.parts = word.parts.filter(({ term }) => !counted.has(term) && counted.add(term))
  const written = writtenWords(own, language, vocabulary)
  const corrections = new Map(own.flatMap(({ typed, terms }) => typed.map((term) => [term, terms])))
  const searched = (terms: ReadonlySet<string>, limit: number, weight: number): WeightedTerms => {
    const synonymous = [...wordAlternatives.values()].filter(({ term }) => terms.has(term))
    const single = new Set([...terms].filter((term) => !wordAlternatives.has(term)))
    return {
      terms: rarest(single, limit, vocabulary),
      ...(synonymous.length > 0 && { wordAlternatives: synonymous }),
      weight,
    }
  }
  return {
    terms: [searched(ownTerms, maxTerms, 1), searched(contextTerms, maxContextTerms, contextWeight)],
    wordAlternatives: [...wordAlternatives.values()],
    words: [...words.values()],
    written,
    text: question,
    names: [...question.matchAll(capitalisedName)]
      .map(([found]) => analyse(found, language).flatMap((term) => corrections.get(term) ?? [term]))
      .filter((terms) => terms.length > 0),
    asksWho: who[language].test(question.trim()),
    asksQuantity: quantity[language].test(question),
  }
}

/**
 * Terms of one search. Search time grows faster than the number of terms, and the longest allowed question
 * has some 500. No real sentence comes near these limits.
 */
const maxTerms = 120
const maxContextTerms = 60
/** Analysed with the first French question: no other command waits for the dictionary. */
const frenchShortForms = () => (shortForms ??= analyseSynonyms(shortFormGroups, "fr", ""))
let shortForms: Synonyms | undefined
/** Words of one text that count with their synonyms. Each alternative is a search of its own. */
const maxWordAlternatives = 6
/** Alternatives of one word: the ones that the documentation uses most. */
const maxAlternatives = 8

/** The rarest `limit` terms, in their original order. */
function rarest(terms: ReadonlySet<string>, limit: number, vocabulary: Vocabulary): string[] {
  if (terms.size <= limit) return [...terms]
  const used = [...terms].flatMap((term) => {
    const frequency = vocabulary.frequency(term)
    return frequency > 0 ? [{ term, frequency }] : []
  })
  const fewest = new Set(used.toSorted((one, other) => one.frequency - other.frequency).slice(0, limit))
  return used.filter((found) => fewest.has(found)).map(({ term }) => term)
}

/** BM25's inverse document frequency, never negative. */
export function inverseFrequency(frequency: number, passages: number): number {
  return Math.log(1 + (passages - frequency + 0.5) / (frequency + 0.5))
}

/**
 * How well a question's words tell passages apart, 0 to 1: little where they stand all over the documentation, as its
 * own name does, or nowhere in it.
 */
export function meanSpecificity(words: readonly QuestionWord[]): number {
  const all = words.reduce((sum, { weight }) => sum + weight, 0)
  return all === 0 ? 0 : words.reduce((sum, { weight, specificity }) => sum + weight * specificity, 0) / all
}

interface SpelledWord {
  /** Lower case, without accents. */
  text: string
  /** Terms of the word as it was typed. */
  typed: string[]
  /** Terms of the word as the documentation spells it. */
  terms: string[]
  isKnown: boolean
  /** Set for a word with synonyms, whose term is then the only one of `terms`. */
  wordAlternatives?: WordAlternatives
  /** As it was typed, with the end of the text before it. */
  typing: { word: string; before: string }
}

/** Corrects the words of the texts to the documentation's spelling, and drops mere phrasing and courtesy. */
function spelledWords(
  texts: readonly string[],
  language: Language,
  vocabulary: Vocabulary,
  synonyms: Synonyms | undefined,
  correct: (letters: string) => string[] | undefined,
): SpelledWord[] {
  let withSynonyms = 0
  return texts.flatMap((text) => {
    const polite = withoutAccents(text).replace(courtesy[language], " ")
    const subject = polite.replace(howLong[language], " ")
    // A question of nothing else still needs words to be found by.
    const plain = analyse(subject, language).length > 0 ? subject : polite
    const phrases = new Set(analyse((plain.match(phrasing[language]) ?? []).join(" "), language))
    const words = wordsOfPlain(plain, text, language)
    const termsOfWords = words.map(({ word }) => word.terms)
    let next = 0
    return words.flatMap(
      ({ written, at: offset, word: { letters, terms } }, at): SpelledWord | SpelledWord[] => {
        if (at < next) return []
        const typing = { word: written, before: plain.slice(Math.max(0, offset - charactersBefore), offset) }
        const entry =
          withSynonyms < maxWordAlternatives
            ? (synonyms?.entryAt(termsOfWords, at) ??
              (language === "fr" ? frenchShortForms().entryAt(termsOfWords, at) : undefined))
            : undefined
        const wordAlternatives = entry && alternativesKnown(entry, vocabulary)
        if (entry && wordAlternatives) {
          withSynonyms++
          next = at + entry.terms.length
          const typed = termsOfWords.slice(at, next).flat()
          return {
            text: letters,
            typed,
            typing,
            terms: [wordAlternatives.term],
            isKnown: true,
            wordAlternatives,
          }
        }
        const [whole = "", ...parts] = terms
        const read = { text: letters, typed: terms, typing }
        if (vocabulary.frequency(whole) > 0) return { ...read, terms, isKnown: true }
        if (terms.some((term) => phrases.has(term))) return []
        const corrected = correct(letters)
        if (corrected)
          return corrected.length === 0 ? [] : { ...read, terms: [...corrected, ...parts], isKnown: false }
        return { ...read, terms, isKnown: parts.some((part) => vocabulary.frequency(part) > 0) }
      },
    )
  })
}

/**
 * The alternatives of an entry that the documentation uses, at most `limit`; undefined when it uses none but the one
 * typed. Their scores are scaled as if each occurred as often as all of them.
 */
export function alternativesKnown(
  { terms, alternatives }: SynonymEntry,
  vocabulary: Vocabulary,
  limit = maxAlternatives,
): WordAlternatives | undefined {
  const usable = alternatives
    .map((each) => ({ terms: each, frequency: passageFrequency([{ terms: each }], vocabulary) }))
    .filter(({ frequency }) => frequency > 0)
    .sort((one, other) => other.frequency - one.frequency)
    .slice(0, limit)
  if (!usable.some((each) => each.terms.join(" ") !== terms.join(" "))) return undefined
  const idfOf = (frequency: number) => inverseFrequency(frequency, vocabulary.passages)
  const idf = idfOf(passageFrequency(usable, vocabulary))
  return {
    term: usable.map((each) => each.terms.join("+")).join("|"),
    alternatives: usable.map((each) => ({
      terms: each.terms,
      scale: idf / each.terms.reduce((sum, term) => sum + idfOf(vocabulary.frequency(term)), 0),
    })),
  }
}

/** In how many passages an alternative occurs, at most: of a phrase, its rarest word. */
function passageFrequency(alternatives: readonly { terms: readonly string[] }[], vocabulary: Vocabulary) {
  const sum = alternatives.reduce(
    (total, { terms }) => total + Math.min(...terms.map((term) => vocabulary.frequency(term))),
    0,
  )
  return Math.min(sum, vocabulary.passages)
}

/** Corrects words as `correctedTerms` does: the first few unknown ones, each once however often it occurs. */
function openCorrector(language: Language, vocabulary: Vocabulary) {
  const corrections = new Map<string, string[] | undefined>()
  return (letters: string): string[] | undefined => {
    if (!corrections.has(letters) && corrections.size < maxCorrections)
      corrections.set(letters, correctedTerms(letters, language, vocabulary))
    return corrections.get(letters)
  }
}

/**
 * Unknown words that are corrected in a question and then in the earlier ones. With more of them, they are
 * hardly typing errors, and each correction takes some milliseconds.
 */
const maxCorrections = 5

const charactersBefore = 24

/** The words of a question itself with their forms, each word once. */
function writtenWords(own: SpelledWord[], language: Language, vocabulary: Vocabulary): WrittenWord[] {
  const words = new Map<string, WrittenWord>()
  for (const { text, terms, typing, wordAlternatives } of own) {
    // A text holds a word with synonyms when it holds one of them.
    const counted = wordAlternatives
      ? wordAlternatives.alternatives.flatMap((alternative) => alternative.terms)
      : countedTerms(terms, vocabulary)
    const key = counted.join(" ")
    if (words.has(key)) continue
    const whole = terms.find((term) => !sigil.test(term)) ?? (terms[0] as string)
    // A tag that the documentation never uses is the visitor's own element, given as an example.
    const isOwnTag = /<\/?$/.test(typing.before) && vocabulary.frequency(whole) === 0
    words.set(key, {
      text,
      terms: counted,
      whole,
      frequency: Math.min(...counted.map((term) => vocabulary.frequency(term))),
      isName: words.size < maxNames && !isOwnTag && isName(typing.word, typing.before, language),
      isNoun: isNoun(typing.word, typing.before, language),
    })
  }
  return [...words.values()]
}

/** Words that may be names: looking one up in a dictionary takes a millisecond or more. */
const maxNames = 30
const sigil = /^(?:--|[@$])/

/** The terms to count: a compound that the documentation does not use counts as its parts. */
function countedTerms([whole, ...parts]: string[], vocabulary: Vocabulary): string[] {
  return parts.length === 0 || vocabulary.frequency(whole as string) > 0 ? [whole as string] : parts
}

/**
 * Phrasing of questions, beyond the stop words. Such a word counts only where the documentation uses it;
 * where it does not, its absence says nothing about whether the documentation answers.
 */
const phrasing: Record<Language, RegExp> = {
  fr: wordsOrPhrases(
    "que? se passe|qu['’]est-ce qui se passe|a quoi (?:sert|servent)|ca marche|savoir|dire|dites|expliquer|expliquez|" +
      "trouver|connaitre|possible|besoin|aide|renseignements?|exactement|vraiment|actuellement|toujours|encore|maintenant|bien|rien|" +
      "quelqu['’]un|concernant|depuis|devant|derriere|chez|vers|pendant|avant|apres|sous|selon|lors|afin|sinon",
  ),
  en: wordsOrPhrases(
    "how (?:much|many|far)|what happens|know|tell|explain|find|get|possible|exactly|actually|currently|still|really|" +
      "someone|anyone|something|anything|regarding|about|during|before|after",
  ),
}

/** Thanks and greetings, which are dropped from any question. */
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

/**
 * « combien de temps » and "how often" ask for a number: no documentation is about their words. « combien de temps
 * entre chaque ? » has hardly any others.
 */
const howLong: Record<Language, RegExp> = {
  fr: wordsOrPhrases("combien de (?:temps|fois)(?! entre)"),
  en: wordsOrPhrases("how (?:long|often)|how many times"),
}

function wordsOrPhrases(alternatives: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives})(?![\\p{L}\\p{N}])`, "giu")
}

const capitalisedName = /\p{Lu}(?<=[^\s.?!:]\s+(?:\p{Ll}{1,2}['’])?\p{Lu})[\p{L}-]+/gu
const who: Record<Language, RegExp> = {
  fr: /^(?:(?:à|a|de|par|avec) )?qui\b/i,
  en: /^who(?:m|se)?\b/i,
}
const quantity: Record<Language, RegExp> = {
  fr: /\bcombien\b|\bquand (?:a|ont|est|sort|les?|la)\b|\bquelle? (?:âge|prix|taille|longueur|hauteur|distance|date|année|score|salaire)\b|^(?:prix|date|tarif)\b/i,
  en: /\bhow (?:many|much|often|long|old|tall|far)\b|^when\b|\bwhat (?:year|date|price|age|size)\b/i,
}
