import type { Alternative } from "../../index/lance/word-alternatives.ts"
import { writtenWordsIn } from "../../index/text/analyse.ts"
import type { Passage } from "../../reading/formats/document.ts"
import type { QuestionWithPassages } from "../answerer.ts"
import { type FactKind, factAsked, givesFact, isQuantity, namesFact } from "../retrieval/asked-fact.ts"
import { numberRoles } from "../retrieval/number-role.ts"
import { meanSpecificity } from "../retrieval/question.ts"
import { passageParts } from "./passage-parts.ts"
import type { PassageUnit, Piece } from "./pieces.ts"

/** A retrieved passage as one question sees it. */
export interface Candidate {
  passage: Passage
  /** Share of the question's best score in words and meaning, 0 to 1. */
  score: number
  /** Indexes into `QuestionWeights` of the question words found in title or headings. */
  headHolds: readonly number[]
  /** How far the question is a heading of the passage, 0 to 1: 1 where it consists of the same words. */
  headingLikeness: number
  units: readonly CandidateUnit[]
  /** Its units, grouped. */
  pieces: readonly Piece[]
}

export interface CandidateUnit extends PassageUnit {
  /** Indexes into `QuestionWeights` of the question words found in the unit, each once. */
  holds: readonly number[]
  /**
   * Nearness to the question: 0 for the documentation's median passage, 1 for the nearest one. Undefined without a
   * vector; the unit then counts as near as the others of its passage.
   */
  nearness: number | undefined
  /**
   * How far the unit gives the kind of fact that is asked for: the share of the question that it holds with title and
   * headings, less for a quantity, and 0 where it gives none.
   */
  fact: number
}

/**
 * Weight of each of the question's words that the documentation uses. They sum to 1, or to less where the words hardly
 * tell its passages apart: nearness then weighs more.
 */
export type QuestionWeights = readonly number[]

/** A number stands in many texts, an address or a telephone number in few. */
const quantityStrength = 0.25

/** All that choosing a quotation needs to know of a question. */
export type FoundForQuestion = Pick<
  QuestionWithPassages,
  "question" | "language" | "found" | "terms" | "words"
>

export function toCandidates(question: FoundForQuestion): {
  candidates: Candidate[]
  weights: QuestionWeights
} {
  const kind = factAsked(question.question, question.language)
  const namingTerms = new Set(kind === undefined ? [] : termsNaming(kind, question))
  // A unit that gives an hour holds « heure », whether or not the documentation uses the word.
  const words = question.words.map((word) =>
    word.frequency === 0 && namingTerms.has(word.term) ? { ...word, frequency: 1, specificity: 1 } : word,
  )
  const wordsInIndex = words.filter(({ frequency }) => frequency > 0)
  const total = wordsInIndex.reduce((sum, { idf, weight }) => sum + idf * weight, 0)
  const wordAlternatives = question.terms.flatMap(({ wordAlternatives = [] }) => wordAlternatives)
  const alternativesByTerm = new Map(wordAlternatives.map(({ term, alternatives }) => [term, alternatives]))
  const wanted = wordsInIndex.map(({ term }) => alternativesByTerm.get(term) ?? term)
  const holds = (terms: ReadonlySet<string>) => {
    const places: number[] = []
    for (let place = 0; place < wanted.length; place++)
      if (isHeld(wanted[place] as (typeof wanted)[number], terms)) places.push(place)
    return places
  }
  const best = question.found[0]?.score ?? 0
  const shares = wordsInIndex.map(({ idf, weight }) => (idf * weight) / total)
  const specificity = meanSpecificity(words)
  const weights = shares.map((share) => share * specificity)
  const likenessTo = (heading: ReadonlySet<string>) => {
    const held = holds(heading)
    return heading.size > 0 ? questionShare(shares, held) * Math.min(held.length / heading.size, 1) : 0
  }
  const strength = kind !== undefined && isQuantity(kind) ? quantityStrength : 1
  const naming = holds(namingTerms)
  const inOtherRole = numberRoles(question.question)
  const candidates = question.found.map(({ passage, score, unitNearness }) => {
    const { headTerms, headings, units, pieces } = passageParts(passage, question.language)
    const headHolds = holds(headTerms)
    return {
      passage,
      score: best > 0 ? score / best : 0,
      headHolds,
      headingLikeness: Math.max(...headings.map(likenessTo)),
      pieces,
      units: units.map(({ terms, place, heading, unit }) => {
        const isGiven = kind !== undefined && givesFact(unit.markdown, kind, question.question)
        const others = inOtherRole(`${heading}\n${unit.markdown}`)
        const own = holds(others.length === 0 ? terms : terms.difference(new Set(others)))
        const held = isGiven ? [...new Set([...own, ...naming])] : own
        return {
          ...unit,
          holds: held,
          nearness: unitNearness?.[place],
          fact: isGiven ? strength * questionShare(weights, new Set([...headHolds, ...held])) : 0,
        }
      }),
    }
  })
  return { candidates, weights }
}

function isHeld(word: string | readonly Alternative[], terms: ReadonlySet<string>): boolean {
  if (typeof word === "string") return terms.has(word)
  return word.some((alternative) => alternative.terms.every((term) => terms.has(term)))
}

function termsNaming(kind: FactKind, { question, language }: FoundForQuestion): string[] {
  return writtenWordsIn(question, language).flatMap(({ word: { letters, terms } }) =>
    namesFact(letters, kind) ? terms : [],
  )
}

/** Share of the question that some of its words make up, 0 to 1. */
export function questionShare(weights: QuestionWeights, held: Iterable<number>): number {
  let sum = 0
  for (const place of held) sum += weights[place] ?? 0
  return sum
}
