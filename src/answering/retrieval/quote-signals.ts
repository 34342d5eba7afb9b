import { LRUCache } from "lru-cache"
import type { Language } from "../../accounts/project.ts"
import { withoutAccents } from "../../base/text.ts"
import type { Vocabulary } from "../../index/lance/vocabulary.ts"
import { analyse, writtenWordsIn } from "../../index/text/analyse.ts"
import { type Passage, withoutLinkTargets } from "../../reading/formats/document.ts"
import { rangeUnits } from "../../reading/passages/units.ts"
import { type FactKind, factAsked, givesFact, isQuantity, isRequired, namesFact } from "./asked-fact.ts"
import { isLight } from "./light-words.ts"
import { numbersInOtherRole } from "./number-role.ts"
import { inverseFrequency, type Question, type WrittenWord } from "./question.ts"
import { headTerms, passageTerms, sectionHeadTerms } from "./signals.ts"

/**
 * Inputs of the decision to answer with a quotation. The quotation holds the words of what is quoted, its titles and
 * headings. Rarity is 1 for a word in one passage or in none.
 */
export interface QuoteSignals {
  /** Cosine of the question with the passage quoted first. */
  meaning: number
  /** Rise of that cosine when the words that the quotation lacks are left out of the question; 0 when it falls. */
  gainWithoutMissing: number
  /** Cosine of the question with the mean of the documentation's passages: whether it belongs here at all. */
  belonging: number
  /** Number of its words that the quotation holds; 4 or more make 1. */
  wordsHeld: number
  /** Share of the question, words weighing by their rarity, that the passages found of the quoted page hold. */
  pageCoverage: number
  /** Share of the question that the quotation holds, divided by the share that all passages found hold. */
  heldOfFound: number
  /** Summed rarity of its names that the quotation lacks; 2 or more make 2. */
  namesMissing: number
  /**
   * Share of the question, words of any kind weighing by their rarity, that the quotation lacks and no page has. Words
   * that say little are left out.
   */
  unknownMissing: number
  /** Its `Match`. */
  unitShare: number
  unitNearness: number
  headingLikeness: number
  /** Lead over the next quotation of another passage, at most `mostLead`. */
  lead: number
  /** Confidence of the decision by words alone. */
  byWords: number
  /** 1 when it asks for a fact of a required kind and no sentence about the rest of the question gives one. */
  quantityMissing: number
  /** The share of the rest of the question that no sentence with a fact of the kind asked for holds; of every kind. */
  factMissing: number
  /** 1 when the noun after "which" or "what" stands in no heading of the passages found. */
  askedUnheaded: number
}

/** Coefficient of each signal in the logit. */
export type QuoteWeights = Record<
  Exclude<keyof QuoteSignals, "pageCoverage" | "heldOfFound" | "factMissing" | "askedUnheaded">,
  number
>

/** Where quotations are compared, each signal adds this much to the score. None needs a pass of the model. */
export type RankWeights = Pick<
  Record<keyof QuoteSignals, number>,
  "meaning" | "wordsHeld" | "pageCoverage" | "heldOfFound" | "factMissing"
>

/** A part of the documentation that would be quoted. */
export interface Quotation {
  markdown: string
  /** At least one. */
  passages: readonly Passage[]
  /** Offset in the first passage, in UTF-16 code units. */
  at?: number
}

/** How what is quoted matches the question, 0 to 1 each. */
export interface Match {
  /** The share of the question that one unit holds with title and headings. */
  share: number
  /** The nearness of its nearest unit. */
  nearness: number
  /** How far the question is a heading of the passage. */
  headingLikeness: number
}

export interface QuotationContext {
  /** Passages found, best first. */
  found: readonly Passage[]
  vocabulary: Vocabulary
  match: Match
  meaning: number
  /** `meaning` of the question without the words that the quotation lacks. */
  meaningOfHeld: number
  belonging: number
  byWords: number
}

/** A quotation without a rival leads by as much. */
export const mostLead = 0.5
/** So many words held count as all. */
export const manyWords = 4
const mostNames = 2
/** Share of the question's other words, by rarity, that a sentence with the quantity needs to hold. */
const quantitySupport = 0.4
/** Words of the sentence before count a little less. */
const nearbyShare = 0.8
/** A word in more passages says nothing about which quantity is asked for. */
const mostFrequent = 0.3

export function measureQuotation(
  question: Question,
  quoted: readonly [Quotation, ...Quotation[]],
  { found, vocabulary, match, meaning, meaningOfHeld, belonging, byWords }: QuotationContext,
): QuoteSignals {
  const { language, passages } = vocabulary
  const rarest = inverseFrequency(1, passages)
  const rarity = (frequency: number) => inverseFrequency(Math.max(1, frequency), passages) / rarest
  const earlier = question.words.filter(({ weight }) => weight < 1)
  const coverage = (terms: ReadonlySet<string>) => {
    let [held, total] = [0, 0]
    const count = (isHeld: boolean, weight: number) => {
      total += weight
      if (isHeld) held += weight
    }
    for (const word of question.written) count(holds(terms, word), rarity(word.frequency))
    for (const { term, idf, weight } of earlier) count(terms.has(term), (idf * weight) / rarest)
    return total === 0 ? 0 : held / total
  }
  const { head, naming, all: quotation } = quotationTerms(question, quoted, language)
  const kind = factAsked(question.text, language)
  const fact = kind === undefined ? 1 : factSupport(kind, question, quoted, head, vocabulary, rarity)
  // Who asks for nothing but an address is not answered by « adressez-vous à la mairie ».
  const isVoid =
    kind !== undefined && fact === 0 && question.written.every(({ text }) => namesFact(text, kind))
  const page = quoted[0].passages[0]?.document
  const ofPage = found.filter(({ document }) => document === page)
  const reachable = coverage(allTerms(found, language).union(naming))
  const missingNames = question.written.filter(({ isName, whole }) => isName && !quotation.has(whole))
  return {
    meaning,
    gainWithoutMissing: Math.max(0, meaningOfHeld - meaning),
    belonging,
    wordsHeld: isVoid
      ? 0
      : Math.min(question.written.filter((word) => holds(quotation, word)).length, manyWords) / manyWords,
    pageCoverage: isVoid ? 0 : coverage(allTerms(ofPage, language).union(naming)),
    heldOfFound: reachable === 0 ? 0 : coverage(quotation) / reachable,
    namesMissing: Math.min(
      missingNames.reduce((sum, { whole }) => sum + rarity(vocabulary.frequency(whole)), 0),
      mostNames,
    ),
    unknownMissing: unknownMissing(question, kind, quotation, language, rarity),
    unitShare: match.share,
    unitNearness: match.nearness,
    headingLikeness: match.headingLikeness,
    lead: mostLead,
    byWords,
    quantityMissing:
      kind !== undefined && isRequired(kind) ? 1 - Math.min(fact, quantitySupport) / quantitySupport : 0,
    factMissing: 1 - fact,
    askedUnheaded: askedUnheaded(question.text, found, naming, language),
  }
}

function unknownMissing(
  { written }: Question,
  kind: FactKind | undefined,
  quotation: ReadonlySet<string>,
  language: Language,
  rarity: (frequency: number) => number,
): number {
  let [missing, total] = [0, 0]
  for (const word of written) {
    if (isLight(word.terms, language) || (kind !== undefined && namesFact(word.text, kind))) continue
    total += rarity(word.frequency)
    if (word.frequency === 0 && !holds(quotation, word)) missing += rarity(word.frequency)
  }
  return total === 0 ? 0 : missing / total
}

/** The question's own words that the quotation lacks, in their order. */
export function missingWords(question: Question, quoted: readonly Quotation[], language: Language) {
  const { all } = quotationTerms(question, quoted, language)
  return question.written.filter((word) => !holds(all, word))
}

/** The question without the words that the quotation lacks; undefined when it lacks none. */
export function heldPart(question: Question, quoted: readonly Quotation[], language: Language) {
  const { text } = question
  const missing = new Set(missingWords(question, quoted, language).map((word) => word.text))
  if (missing.size === 0) return undefined
  let held = ""
  let end = 0
  for (const { written, at, word } of writtenWordsIn(text, language)) {
    if (!missing.has(word.letters)) continue
    held += text.slice(end, at)
    end = at + written.length
  }
  return held + text.slice(end)
}

function askedUnheaded(
  question: string,
  found: readonly Passage[],
  naming: ReadonlySet<string>,
  language: Language,
): number {
  const { noun, second = "" } = questionForms[language].exec(question)?.groups ?? {}
  const terms = noun === undefined ? [] : analyse(`${noun} ${second}`, language)
  if (terms.length === 0) return 0
  const heads = new Set(
    found.flatMap((passage) => [headTerms(passage, language), ...sectionHeadTerms(passage, language)]).flat(),
  )
  return terms.some((term) => heads.has(term) || naming.has(term)) ? 0 : 1
}

const questionForms: Record<Language, RegExp> = {
  fr: /(?<!\p{L})quel(?:le)?s? (?:est |sont |sera )?(?:l[ae]s? |l['’])?(?<noun>[\p{L}-]{1,40})/iu,
  en: /(?<!\p{L})(?:which|what)(?:'s| is| are)?(?: the| an?)? (?<noun>[\p{L}-]{1,40})(?<second> [\p{L}-]{1,40})?/iu,
}

/** Terms of the noun that the question counts: a sentence that gives its number names it. */
function countedNoun(question: string, language: Language): string[] {
  const noun = counting[language].exec(question)?.groups?.["noun"]
  return noun === undefined || namesFact(withoutAccents(noun), "number") ? [] : analyse(noun, language)
}

const counting: Record<Language, RegExp> = {
  fr: /(?<!\p{L})combien (?:de |d['’])(?<noun>\p{L}{3,40})/iu,
  en: /(?<!\p{L})how (?:many|much) (?<noun>\p{L}{3,40})/iu,
}

/** How far a sentence about the rest of the question gives the fact, 0 to 1. */
function factSupport(
  kind: FactKind,
  { text, written }: Question,
  quoted: readonly Quotation[],
  head: ReadonlySet<string>,
  { language, passages, frequency }: Vocabulary,
  rarity: (frequency: number) => number,
): number {
  // No sentence can hold a word that the documentation does not use; other signals count it.
  const subject = written.filter(
    (word) =>
      word.frequency > 0 && frequency(word.whole) < mostFrequent * passages && !namesFact(word.text, kind),
  )
  const total = subject.reduce((sum, word) => sum + rarity(word.frequency), 0)
  const share = (terms: ReadonlySet<string>) =>
    total === 0
      ? 0.5
      : subject.reduce((sum, word) => sum + (holds(terms, word) ? rarity(word.frequency) : 0), 0) / total
  const counted = countedNoun(text, language)
  let support = 0
  for (const { markdown } of quoted) {
    let before = new Set<string>()
    for (const unit of rangeUnits(markdown, 0, markdown.length, language)) {
      const own = new Set(markdownTerms(unit.markdown, language))
      const isCounted = counted.length === 0 || counted.some((term) => own.has(term) || head.has(term))
      if (isCounted && givesFact(unit.markdown, kind, text)) {
        const headed = own.union(head)
        support = Math.max(support, share(headed), nearbyShare * share(headed.union(before)))
      }
      // A number to call stands below all that it is for.
      before = isQuantity(kind) ? own : before.union(own)
    }
  }
  return support
}

/**
 * `naming`: terms of the question that name the kind of fact it asks for, where the quotation gives one: a text with an
 * hour holds « heure ».
 */
export function quotationTerms(
  { text, written }: Question,
  quoted: readonly Quotation[],
  language: Language,
) {
  const head = new Set(
    quoted.flatMap((quotation) => [
      ...quotation.passages.flatMap((passage) => headTerms(passage, language)),
      ...ownHeadTerms(quotation, language),
    ]),
  )
  const kind = factAsked(text, language)
  const isGiven = kind !== undefined && quoted.some(({ markdown }) => givesFact(markdown, kind, text))
  const naming = new Set(
    isGiven ? written.flatMap((word) => (namesFact(word.text, kind) ? word.terms : [])) : [],
  )
  const all = new Set([
    ...head,
    ...naming,
    ...quoted.flatMap(({ markdown }) => markdownTerms(markdown, language)),
  ]).difference(new Set(numbersInOtherRole(text, quoted.map(withHeadings).join("\n"))))
  return { head, naming, all }
}

/** The text with the title and headings that it stands under. */
function withHeadings({ passages, markdown, at = 0 }: Quotation): string {
  const heads = passages.flatMap(({ title, headings, sections = [] }) => [
    title,
    ...headings,
    sections.findLast(({ from }) => from <= at)?.heading ?? "",
  ])
  return [...heads, markdown].join("\n")
}

/** Terms of the heading of the joined section that is quoted. */
function ownHeadTerms({ passages: [passage], at = 0 }: Quotation, language: Language): readonly string[] {
  const section = passage?.sections?.findLastIndex(({ from }) => from <= at)
  return passage && section !== undefined ? (sectionHeadTerms(passage, language)[section] ?? []) : []
}

export function holds(terms: ReadonlySet<string>, word: WrittenWord): boolean {
  return word.terms.some((term) => terms.has(term))
}

/** A quotation is judged, told why it does or does not answer, and quoted again for the next question. */
const lately = new LRUCache<string, readonly string[]>({ max: 256 })

function markdownTerms(markdown: string, language: Language): readonly string[] {
  const key = `${language} ${markdown}`
  const terms = lately.get(key) ?? analyse(withoutLinkTargets(markdown), language)
  lately.set(key, terms)
  return terms
}

function allTerms(passages: readonly Passage[], language: Language): Set<string> {
  const all = new Set<string>()
  for (const passage of passages) for (const term of passageTerms(passage, language)) all.add(term)
  return all
}
