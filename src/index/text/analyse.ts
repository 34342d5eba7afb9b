import { stopwords as english } from "@orama/stopwords/english"
import { stopwords as french } from "@orama/stopwords/french"
import type { Language } from "../../accounts/project.ts"
import { fold, withoutAccents } from "../../base/text.ts"
import { englishTerm } from "./english.ts"
import { frenchDictionary, frenchTerm } from "./french.ts"
import { familyOf } from "./word-families.ts"

/** Changes whenever the same text gives other terms. Indexes of another version are rebuilt. */
export const analyserVersion = "8"

/** A word that carries meaning. */
export interface Word {
  /** The word as written, folded, without elided articles, sigils and joiners. */
  letters: string
  /** Search terms: the stem, and for a compound also those of its members and the stems of its parts. */
  terms: string[]
}

/**
 * The words of a text, in order. `v-model`, `vModel` and `VModel` share all their terms. The index, retrieval
 * and the extractive answerer all use this analysis.
 */
export function wordsIn(text: string, language: Language): Word[] {
  return writtenWordsIn(text, language).map(({ word }) => word)
}

/** The words of a text, each as it is written and with its offset in UTF-16 code units. */
export function writtenWordsIn(text: string, language: Language) {
  const cache = caches[language]
  const words: { written: string; at: number; word: Word }[] = []
  const plain = text.includes("×") ? text.replace(timesSign, "x") : text
  for (const { 0: raw, index: at } of plain.matchAll(wordPattern)) {
    if (raw.length > maxWordLength) continue
    let word = cache.get(raw)
    if (word === undefined) {
      word = analyseWord(raw, language)
      // Text repeats its words, and a look-up is cheaper than stemming. The cache has a bound.
      if (cache.size >= maxCachedWords) cache.clear()
      cache.set(raw, word)
    }
    if (word.terms.length > 0) words.push({ written: raw, at, word })
  }
  return words
}

/** The terms of each word of a text, in order. */
export function analyseWords(text: string, language: Language): string[][] {
  return wordsIn(text, language).map(({ terms }) => terms)
}

/** The terms of a text, in order, with repetitions. */
export function analyse(text: string, language: Language): string[] {
  return analyseWords(text, language).flat()
}

/**
 * The term of one word of the letters a to z, as `analyse` gives it; undefined for a stop word. Bypasses the
 * cache, because thousands of guessed spellings would evict the words that texts contain.
 */
export function termOfLetters(word: string, language: Language): string | undefined {
  return stopWords[language].has(word) ? undefined : stem(word, language)
}

const maxWordLength = 64
const maxCachedWords = 50_000
const caches: Record<Language, Map<string, Word>> = { fr: new Map(), en: new Map() }
const stopWord: Word = { letters: "", terms: [] }

/** An optional sigil (`--flag`, `@click`, `$emit`), then letters and digits, connected by joiners. */
const wordPattern =
  /(?:--|[@$])?[\p{L}\p{N}\p{M}]+(?:(?:[-._'’ʼ]+|(?<=\d),(?=\d))[\p{L}\p{N}\p{M}]+)*(?:\+\+|#(?![\p{L}\p{N}]))?/gu
/** « 4×4 » is asked for as « 4x4 ». */
const timesSign = /(?<=\d)×(?=\d)/g
const joiner = /[-._'’ʼ]+/
const elided = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu|quelqu|presqu)['’ʼ](?=.)/i
const possessive = /['’ʼ]s$/i
/** A verb and its pronoun, which form no name: `peut-on`, `a-t-il`, `dites-moi`, but not `rendez-vous`. */
const inversion =
  /^(?!rendez-vous$)(\p{L}{2,}|a)(?:-t)?-(?:je|tu|ils?|elles?|on|nous|vous|ce|moi|toi|le|la|les|lui|leur|y|en|ci|là)$/u

/** Whether a word, in lower case without accents, is a verb with its pronoun. */
export function isInversion(folded: string): boolean {
  return inversion.test(folded)
}

const number = /^v?(\d+(?:[.,]\d+)*)$/i
const isCompound = /\p{Ll}\p{Lu}|[\p{L}\p{N}][-_][\p{L}\p{N}]/u
const camelBoundary = /(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u

function analyseWord(raw: string, language: Language): Word {
  const word = withoutElision(raw, language)
  const digits = number.exec(word)?.[1]
  if (digits) return { letters: digits, terms: [digits.replace(",", ".")] }
  const lowered = fold(word)
  const bare = lowered.replace(/^(?:--|[@$])/, "")
  if (stopWords[language].has(bare)) return stopWord
  const sigil = bare === lowered ? [] : [lowered.split(".")[0] as string]
  const parts = word
    .replace(/^(?:--|[@$])/, "")
    .split(joiner)
    .flatMap((part) => part.split(camelBoundary))
  // Every spelling of a name becomes one term: without hyphens, dots and capitals.
  const letters = bare.replace(/[-._'’ʼ]+/g, "")
  if (parts.length === 1)
    return { letters, terms: [...sigil, stem(verbOfAccented(word, bare, language) ?? bare, language)] }
  const ownParts = parts.map(fold).filter((part) => part.length > 1 && !stopWords[language].has(part))
  if (ownParts.length === 0 && !/^\p{L}-/u.test(bare)) return { letters, terms: sigil }
  const whole = inversion.test(bare) ? [] : [stem(letters, language)]
  const members = dottedMembers(word).map((member) => stem(member, language))
  return {
    letters,
    terms: [...new Set([...sigil, ...whole, ...members, ...ownParts.map((part) => stem(part, language))])],
  }
}

/** « livré » belongs to livrer, « livre » is a book: the accent alone tells them apart. */
function verbOfAccented(word: string, folded: string, language: Language): string | undefined {
  if (language !== "fr" || !/és?$/iu.test(word)) return undefined
  const noun = folded.replace(/s$/, "")
  const verb = `${noun}r`
  return familyOf.fr.get(noun) === noun && frenchDictionary().isVerb(verb) ? verb : undefined
}

/** The words of a text, or part of it, that was made `plain`, with the terms that they have with their accents. */
export function wordsOfPlain(plain: string, text: string, language: Language) {
  const accented = language === "fr" ? (text.normalize().match(endsInAccent) ?? []) : []
  const termsOf = new Map(wordsIn(accented.join(" "), language).map(({ letters, terms }) => [letters, terms]))
  return writtenWordsIn(plain, language).map(({ word, ...rest }) => ({
    ...rest,
    word: { ...word, terms: termsOf.get(word.letters) ?? word.terms },
  }))
}

const endsInAccent = /(?<![\p{L}\p{N}_.-])\p{L}{1,40}és?(?![\p{L}\p{N}'’_-]|\.\p{L})/giu

/** A written word without the article or pronoun that is elided before it, or the possessive after it. */
export function withoutElision(raw: string, language: Language): string {
  return language === "fr" ? raw.replace(elided, "") : raw.replace(possessive, "")
}

/** Compounds in a dotted path, which are written alone as well: `errorHandler` in `app.config.errorHandler`. */
function dottedMembers(word: string): string[] {
  const members = word.includes(".") ? word.split(/\.+/) : []
  return members
    .filter((member) => isCompound.test(member))
    .map((member) => fold(member).replace(/[^\p{L}\p{N}]/gu, ""))
}

/** Takes a folded word, because visitors omit accents. */
function stem(folded: string, language: Language): string {
  if (folded.length < 3 || /\d/.test(folded)) return familyOf[language].get(folded) ?? folded
  const term = language === "en" ? englishTerm(folded) : frenchTerm(folded)
  // An acronym such as SMS or DNS has no ending to lose.
  return term.length < 3 && !/[aeiouy]/.test(folded) ? folded : term
}

/** Added to the packages' lists: question words and polite phrases, which no documentation is about. */
const frenchQuestionWords =
  "a ca ces cest jai nai si donc car comme alors aussi tres plus moins comment pourquoi quoi quand combien lequel " +
  "laquelle lesquels lesquelles quelque quelques peut peux peuvent pouvez pouvons pouvoir puis puisse dois doit " +
  "doivent devez devons devoir faut faudrait veux veut voudrais souhaite souhaiterais aimerais aimerai voudrai aimerions etre avoir va vais " +
  "bonjour bonsoir merci svp sil stp aujourd hui est-ce qu-est-ce y-a-t-il https http www"
const englishQuestionWords =
  "a s t d ll re ve m dont doesnt didnt cant wont isnt arent im ive id whats hows wheres whos lets please thanks thank hello hi want need https http www"

/** Folded as by the analyser: lower case, no accents. */
const stopWords: Record<Language, ReadonlySet<string>> = {
  fr: folded(french, frenchQuestionWords),
  en: folded(english, englishQuestionWords),
}

function folded(listed: readonly string[], added: string): ReadonlySet<string> {
  return new Set([...listed, ...added.split(" ")].map(withoutAccents))
}
