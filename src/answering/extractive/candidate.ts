import type { Language } from "../../accounts/project.ts"
import { memoizePerPassage } from "../../index/lance/passage-cache.ts"
import { withAlternatives } from "../../index/lance/word-alternatives.ts"
import { analyse, writtenWordsIn } from "../../index/text/analyse.ts"
import { countWords, isStatement } from "../../reading/formats/blocks.ts"
import { type Passage, withoutLinkTargets } from "../../reading/formats/document.ts"
import { passageUnits, type Unit } from "../../reading/passages/units.ts"
import type { QuestionWithPassages } from "../answerer.ts"
import { type FactKind, factAsked, givesFact, isQuantity, namesFact } from "../retrieval/asked-fact.ts"
import { numbersInOtherRole } from "../retrieval/number-role.ts"
import { meanSpecificity } from "../retrieval/question.ts"

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
}

export interface CandidateUnit extends Unit {
  /** Which of the passage's joined sections it stands in; 0 in a passage that is one section. */
  section: number
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

/** Units that are read of a passage. With more, they average twenty characters and say nothing. */
const maxUnits = 500

/** A section of so many words is seldom more than what its heading says. */
const maxShortWords = 50

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
  const wordsInIndex = question.words.filter(({ frequency }) => frequency > 0)
  const total = wordsInIndex.reduce((sum, { idf, weight }) => sum + idf * weight, 0)
  const placeByTerm = new Map(wordsInIndex.map(({ term }, place) => [term, place]))
  const holds = (terms: Iterable<string>) => {
    const places = new Set<number>()
    for (const term of terms) {
      const place = placeByTerm.get(term)
      if (place !== undefined) places.add(place)
    }
    return [...places]
  }
  const best = question.found[0]?.score ?? 0
  const wordAlternatives = question.terms.flatMap(({ wordAlternatives = [] }) => wordAlternatives)
  const shares = wordsInIndex.map(({ idf, weight }) => (idf * weight) / total)
  const specificity = meanSpecificity(question.words)
  const weights = shares.map((share) => share * specificity)
  const likenessTo = (heading: ReadonlySet<string>) => {
    const held = holds(withAlternatives(heading, wordAlternatives))
    return heading.size > 0 ? questionShare(shares, held) * Math.min(held.length / heading.size, 1) : 0
  }
  const kind = factAsked(question.question, question.language)
  const strength = kind !== undefined && isQuantity(kind) ? quantityStrength : 1
  // A unit that gives an hour holds « heure ».
  const naming = kind === undefined ? [] : holds(termsNaming(kind, question))
  const candidates = question.found.map(({ passage, score, unitNearness }) => {
    const { headTerms, headings, units } = analysedPassage(passage, question.language)
    const headHolds = holds(withAlternatives(headTerms, wordAlternatives))
    return {
      passage,
      score: best > 0 ? score / best : 0,
      headHolds,
      headingLikeness: Math.max(...headings.map(likenessTo)),
      units: units.map(({ terms, place, heading, ...unit }) => {
        const isGiven = kind !== undefined && givesFact(unit.markdown, kind, question.question)
        const ofOtherRole = holds(numbersInOtherRole(question.question, `${heading}\n${unit.markdown}`))
        const own = holds(withAlternatives(terms, wordAlternatives)).filter(
          (place) => !ofOtherRole.includes(place),
        )
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

function termsNaming(kind: FactKind, { question, language }: FoundForQuestion): string[] {
  return writtenWordsIn(question, language).flatMap(({ word: { letters, terms } }) =>
    namesFact(letters, kind) ? terms : [],
  )
}

const analysedPassage = memoizePerPassage((passage: Passage, language: Language) => {
  const { markdown, sections } = passage
  const headings = sections?.map(({ heading }) => heading ?? "") ?? [headingOf(passage)]
  const isShort = (sections ?? [{ from: 0 }]).map(
    ({ from }, section) => countWords(markdown.slice(from, sections?.[section + 1]?.from)) <= maxShortWords,
  )
  return {
    headTerms: new Set(analyse([passage.title, ...passage.headings].join("\n"), language)),
    headings: headings.map((heading) => new Set(analyse(heading, language))),
    units: passageUnits(passage, language)
      .slice(0, maxUnits)
      .map((unit, place) => {
        const section = Math.max(passage.sections?.findLastIndex(({ from }) => from <= unit.at) ?? 0, 0)
        // The heading of a section speaks for its words where they are few.
        const heading = (isShort[section] ? headings[section] : undefined) ?? ""
        return {
          ...unit,
          place,
          section,
          heading,
          terms: new Set(analyse(`${heading}\n${withoutLinkTargets(unit.markdown)}`, language)),
        }
      })
      .filter((unit, at, units) => !isSectionName(passage, unit, units[at + 1])),
  }
})

/**
 * The heading of a joined section stands above it in bold. It is not quoted, because the source shows it, unless it
 * states something or is all that the section says.
 */
function isSectionName(
  { sections = [] }: Passage,
  { markdown, section }: Pick<CandidateUnit, "markdown" | "section">,
  next: Pick<CandidateUnit, "section"> | undefined,
): boolean {
  const heading = sections[section]?.heading
  return (
    next?.section === section && heading != null && markdown === `**${heading}**` && !isStatement(heading)
  )
}

/** Share of the question that some of its words make up, 0 to 1. */
export function questionShare(weights: QuestionWeights, held: Iterable<number>): number {
  let sum = 0
  for (const place of held) sum += weights[place] ?? 0
  return sum
}

/** Heading under which a passage stands on its page. */
export function headingOf({ headings, title }: Passage): string {
  return headings.at(-1) ?? title
}
