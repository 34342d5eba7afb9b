import type { Language } from "../../accounts/project.ts"
import type { QuestionWithPassages } from "../answerer.ts"
import { type Passage, type SectionStart, withoutLinkTargets } from "../documents/document.ts"
import { maxPieceCharacters } from "../documents/passages/size-limits.ts"
import { withOneOf } from "../index/one-of.ts"
import { memoizePerPassage } from "../index/passage-cache.ts"
import { analyse } from "../text/analyse.ts"
import { introductionOf, isStep, maxCodeLines, type QuoteContext, withContext } from "./quote-context.ts"
import { type Unit, unitsOf } from "./units.ts"

/** Consecutive units of one passage. */
export interface Snippet {
  passage: Passage
  units: Unit[]
  terms: ReadonlySet<string>
  /** Share of the question that the snippet covers, minus penalties for its length and its passage's rank. */
  score: number
}

/** A passage, or one of the small sections that a passage consists of. A snippet lies within one section. */
export interface Section {
  passage: Passage
  /** 0 for the best. */
  rank: number
  /** Terms of the title and headings. */
  headTerms: ReadonlySet<string>
  units: SectionUnit[]
}

interface SectionUnit extends Unit, QuoteContext {
  terms: ReadonlySet<string>
  /** Effort to read the unit, in words. */
  readingCost: number
}

/** Longest snippet, in UTF-16 code units: the length at which a passage's text is split. */
const maxSnippetCharacters = maxPieceCharacters
/** Units read of one section. With more, they average under ten characters and say nothing. */
const maxUnits = 1_000
/** A shorter snippet says too little, unless its section has no more. */
const minWords = 35
/** Readers skim a line of code and follow steps one at a time, so both cost less than their words. */
const wordsPerCodeLine = 1.5
const wordsPerStep = 5
/** Penalty for each word above or below the aim. */
const wordPenalty = 0.006
/** Penalty for each passage that was ranked higher. */
const rankPenalty = 0.3
/** Weight of a term in the title or headings, and of one anywhere in the section; in the snippet it is 1. */
const headWeight = 0.5
const sectionWeight = 1

export function sectionsOf(
  passage: Passage,
  rank: number,
  { language, terms }: Pick<QuestionWithPassages, "language" | "terms">,
): Section[] {
  const oneOf = terms.flatMap(({ oneOf = [] }) => oneOf)
  return analysedSections(passage, language).map((section) => ({
    ...section,
    ...(oneOf.length > 0 && {
      headTerms: withOneOf(section.headTerms, oneOf),
      units: section.units.map((unit) => ({ ...unit, terms: withOneOf(unit.terms, oneOf) })),
    }),
    passage,
    rank,
  }))
}

const analysedSections = memoizePerPassage((passage: Passage, language: Language) => {
  const terms = (text: string) => new Set(analyse(text, language))
  const passageHead = terms([passage.title, ...passage.headings].join("\n"))
  return splitByLabels(passage).map(({ heading, start, end }) => ({
    headTerms: passageHead.union(terms(heading.join("\n"))),
    units: withContext(unitsOf(passage.markdown, start, end, language).slice(0, maxUnits)).map((unit) => ({
      ...unit,
      terms: terms(withoutLinkTargets(unit.markdown)),
      readingCost: readingCost(unit),
    })),
  }))
})

/** One of the small sections of a passage; `start` and `end` are offsets in the passage's text. */
interface LabelledRange {
  heading: string[]
  start: number
  end: number
}

/**
 * Splits a passage that joins several small sections. Each section except an introduction begins with its
 * heading as a label in bold. The label is skipped, because the source shows the heading.
 */
function splitByLabels({ sections = [], markdown }: Passage): LabelledRange[] {
  const label = ({ from, heading }: SectionStart) =>
    markdown.startsWith(`**${heading}**`, from) ? `**${heading}**` : ""
  if (!sections.some((section) => label(section) !== ""))
    return [{ heading: [], start: 0, end: markdown.length }]
  return sections.map((section, at) => ({
    heading: [section.heading ?? ""],
    start: section.from + label(section).length,
    end: sections[at + 1]?.from ?? markdown.length,
  }))
}

/**
 * Inverse document frequency of each term of the question, counting the units and headings of `sections` as
 * documents. Sums to 1.
 */
export function termWeights(
  question: QuestionWithPassages,
  sections: readonly Section[],
): Map<string, number> {
  const texts = sections.flatMap(({ headTerms, units }) => [headTerms, ...units.map(({ terms }) => terms)])
  const counted = question.terms.map(({ terms, oneOf = [], weight }) => ({
    terms: [...terms, ...oneOf.map(({ term }) => term)],
    weight,
  }))
  const frequency = new Map(counted.flatMap(({ terms }) => terms.map((term) => [term, 0])))
  for (const terms of texts)
    for (const term of terms) {
      const count = frequency.get(term)
      if (count !== undefined) frequency.set(term, count + 1)
    }
  const weights = new Map<string, number>()
  for (const { terms, weight } of counted)
    for (const term of terms) {
      const count = frequency.get(term) ?? 0
      if (count > 0) weights.set(term, weight * Math.log(1 + texts.length / count))
    }
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
  return new Map([...weights].map(([term, weight]) => [term, weight / total]))
}

export interface ScoredSection extends Section {
  weights: ReadonlyMap<string, number>
  /** For each unit, its terms that the question has. A question has few, a sentence many. */
  matchedTerms: string[][]
  /** The part of the score that every snippet of the section gets. */
  baseScore: number
}

export function scoreSection(section: Section, weights: ReadonlyMap<string, number>): ScoredSection {
  const matched = (terms: ReadonlySet<string>) => [...terms].filter((term) => weights.has(term))
  const { headTerms, units, rank } = section
  const matchedTerms = units.map(({ terms }) => matched(terms))
  const matchedHead = matched(headTerms)
  const all = new Set([...matchedHead, ...matchedTerms.flat()])
  const baseScore =
    weightOf(matchedHead, weights) * headWeight + weightOf(all, weights) * sectionWeight - rank * rankPenalty
  return { ...section, weights, matchedTerms, baseScore }
}

/** The snippet with the best score at about `aimedWords`; undefined when every snippet is too long. */
export function bestSnippet(
  { passage, units, weights, matchedTerms, baseScore }: ScoredSection,
  aimedWords: number,
): Snippet | undefined {
  const cost = rangeSums(units, ({ readingCost }) => readingCost)
  const codeLines = rangeSums(units, (unit) => unit.codeLines)
  const maxWords = aimedWords * 2
  const leastWords = Math.min(minWords, cost(0, units.length))
  let best: { from: number; to: number; start: number; end: number; score: number } | undefined
  for (const [start, { from }] of units.entries()) {
    // The snippet would begin with code that nothing introduces.
    if (units[from]?.kind === "code" && from > 0) continue
    const terms = new Set<string>()
    let coverage = 0
    // A unit may have no word, so the number of units is bounded as well.
    for (let end = start; end < units.length && end - start <= maxWords; end++) {
      for (const term of matchedTerms[end] ?? []) {
        if (!terms.has(term)) coverage += weights.get(term) ?? 0
        terms.add(term)
      }
      const { to } = units[end] as SectionUnit
      if (codeLines(from, to + 1) > maxCodeLines || lengthOf(units, from, to) > maxSnippetCharacters) break
      const words = cost(from, to + 1)
      const lengthPenalty = Math.max(0, words - aimedWords, leastWords - words) * wordPenalty
      const score = coverage + baseScore - lengthPenalty
      if (!best || score > best.score) best = { from, to, start, end, score }
      if (words > maxWords) break
    }
  }
  if (!best) return undefined
  const terms = new Set(units.slice(best.start, best.end + 1).flatMap((unit) => [...unit.terms]))
  const introduction = introductionOf(units, best.from) ?? []
  const quoted = [introduction, units.slice(best.from, best.to + 1)].flat()
  return { passage, units: quoted, terms, score: best.score }
}

function weightOf(terms: Iterable<string>, weights: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const term of terms) sum += weights.get(term) ?? 0
  return sum
}

/** Length of the passage's text from one unit to the end of another, in UTF-16 code units. */
function lengthOf(units: readonly Unit[], from: number, to: number): number {
  const last = units[to] as Unit
  return last.at + last.markdown.length - (units[from] as Unit).at
}

function readingCost(unit: Unit): number {
  if (isStep(unit)) return Math.min(unit.words, wordsPerStep)
  return unit.kind === "code" ? unit.markdown.split("\n").length * wordsPerCodeLine : unit.words
}

/** Prefix sums: the returned function sums `amount` over the units from `from` up to, not including, `to`. */
function rangeSums(
  units: readonly SectionUnit[],
  amount: (unit: SectionUnit) => number,
): (from: number, to: number) => number {
  const sums = [0]
  for (const unit of units) sums.push((sums.at(-1) as number) + amount(unit))
  return (from, to) => (sums[to] as number) - (sums[from] as number)
}
