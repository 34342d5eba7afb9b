import type { Language } from "../../accounts/project.ts"
import type { Asked } from "../answerer.ts"
import type { Passage, SectionStart } from "../documents/document.ts"
import { withoutLinkTargets } from "../documents/link-targets.ts"
import { maxPieceCharacters } from "../documents/size.ts"
import { oncePerPassage } from "../index/hot-passages.ts"
import { analyse } from "../text/analyse.ts"
import { type Completed, completed, introductionOf, isStep, mostCodeLines } from "./complete.ts"
import { type Unit, unitsOf } from "./units.ts"

/** Units of one passage in a row. */
export interface Run {
  passage: Passage
  units: Unit[]
  terms: ReadonlySet<string>
  /** Share of the question that it speaks of, less what it costs to read and to have been ranked low. */
  value: number
}

/**
 * What is quoted from without crossing into anything else: a passage, or one of the small sections it is made
 * of.
 */
export interface ReadSection {
  passage: Passage
  /** 0 for the best. */
  rank: number
  head: ReadonlySet<string>
  units: ReadUnit[]
}

interface ReadUnit extends Unit, Completed {
  terms: ReadonlySet<string>
  /** Words, as many as it costs to read. */
  cost: number
}

/**
 * What is quoted in one piece is no longer, in UTF-16 code units: as much as a passage's text is split at.
 */
const mostCharacters = maxPieceCharacters
/** Of one section: where there are more, they have less than ten characters each, and say nothing. */
const mostUnits = 1_000
/** Less says too little, where the passage says more. */
const fewWords = 35
/** A line of code is skimmed, and steps are followed one at a time. */
const wordsPerCodeLine = 1.5
const wordsPerStep = 5
const wordCost = 0.006
/** What a passage is worth less for each that was ranked before it. */
const rankCost = 0.3
/**
 * What a word in a title or heading adds, and one anywhere in the section, to the same word in what is
 * quoted.
 */
const headShare = 0.5
const sectionShare = 1

export function readPassage(passage: Passage, rank: number, { language }: Asked): ReadSection[] {
  return sectionsOf(passage, language).map((section) => ({ ...section, passage, rank }))
}

const sectionsOf = oncePerPassage((passage: Passage, language: Language) => {
  const terms = (text: string) => new Set(analyse(text, language))
  const head = terms([passage.title, ...passage.headings].join("\n"))
  return labelled(passage).map(({ heading, start, end }) => ({
    head: head.union(terms(heading.join("\n"))),
    units: completed(unitsOf(passage.markdown, start, end, language).slice(0, mostUnits)).map((unit) => ({
      ...unit,
      terms: terms(withoutLinkTargets(unit.markdown)),
      cost: costOf(unit),
    })),
  }))
})

/**
 * Small sections that stand together begin with their headings as labels, which their sources name; what
 * leads in to them has none.
 */
function labelled({ sections = [], markdown }: Passage): { heading: string[]; start: number; end: number }[] {
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
 * What each term of the question is worth: the fewer units and headings of these passages hold it, the more.
 * Sums to 1.
 */
export function termWeights(asked: Asked, sections: readonly ReadSection[]): Map<string, number> {
  const holders = sections.flatMap(({ head, units }) => [head, ...units.map(({ terms }) => terms)])
  const holding = new Map(asked.terms.flatMap(({ terms }) => terms.map((term) => [term, 0])))
  for (const held of holders)
    for (const term of held) {
      const count = holding.get(term)
      if (count !== undefined) holding.set(term, count + 1)
    }
  const weights = new Map<string, number>()
  for (const { terms, weight } of asked.terms)
    for (const term of terms) {
      const count = holding.get(term) ?? 0
      if (count > 0) weights.set(term, weight * Math.log(1 + holders.length / count))
    }
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
  return new Map([...weights].map(([term, weight]) => [term, weight / total]))
}

/** A section as the question sees it. */
export interface WeighedSection extends ReadSection {
  weights: ReadonlyMap<string, number>
  /** Of each unit, the terms that are worth anything: a question has few words, a sentence many. */
  asked: string[][]
  /** What the section is worth, whatever is quoted of it. */
  about: number
}

export function weighed(section: ReadSection, weights: ReadonlyMap<string, number>): WeighedSection {
  const askedTerms = (terms: ReadonlySet<string>) => [...terms].filter((term) => weights.has(term))
  const { head, units, rank } = section
  const asked = units.map(({ terms }) => askedTerms(terms))
  const headTerms = askedTerms(head)
  const all = new Set([...headTerms, ...asked.flat()])
  const about = worth(headTerms, weights) * headShare + worth(all, weights) * sectionShare - rank * rankCost
  return { ...section, weights, asked, about }
}

/**
 * The run that says most about the question in about `aimedWords`; undefined when all that is there is too
 * long to read.
 */
export function bestRun(
  { passage, units, weights, asked, about }: WeighedSection,
  aimedWords: number,
): Run | undefined {
  const costs = sumsOf(units, ({ cost }) => cost)
  const codeLines = sumsOf(units, (unit) => unit.codeLines)
  const mostWords = aimedWords * 2
  const leastWords = Math.min(fewWords, costs(0, units.length))
  let best: { from: number; to: number; start: number; end: number; value: number } | undefined
  for (const [start, { from }] of units.entries()) {
    // Nothing introduces the code that it would begin with.
    if (units[from]?.kind === "code" && from > 0) continue
    const terms = new Set<string>()
    let said = 0
    // No more units than words: there are units without any.
    for (let end = start; end < units.length && end - start <= mostWords; end++) {
      for (const term of asked[end] ?? []) {
        if (!terms.has(term)) said += weights.get(term) ?? 0
        terms.add(term)
      }
      const { to } = units[end] as ReadUnit
      if (codeLines(from, to + 1) > mostCodeLines || lengthOf(units, from, to) > mostCharacters) break
      const words = costs(from, to + 1)
      const length = Math.max(0, words - aimedWords, leastWords - words) * wordCost
      const value = said + about - length
      if (!best || value > best.value) best = { from, to, start, end, value }
      if (words > mostWords) break
    }
  }
  if (!best) return undefined
  const terms = new Set(units.slice(best.start, best.end + 1).flatMap((unit) => [...unit.terms]))
  const introduction = introductionOf(units, best.from) ?? []
  const quoted = [introduction, units.slice(best.from, best.to + 1)].flat()
  return { passage, units: quoted, terms, value: best.value }
}

function worth(terms: Iterable<string>, weights: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const term of terms) sum += weights.get(term) ?? 0
  return sum
}

/** Of the passage between the beginning of one unit and the end of another, in UTF-16 code units. */
function lengthOf(units: readonly Unit[], from: number, to: number): number {
  const last = units[to] as Unit
  return last.at + last.markdown.length - (units[from] as Unit).at
}

function costOf(unit: Unit): number {
  if (isStep(unit)) return Math.min(unit.words, wordsPerStep)
  return unit.kind === "code" ? unit.markdown.split("\n").length * wordsPerCodeLine : unit.words
}

/** The sum over the units of `from` up to but not including `to`, without adding them up each time. */
function sumsOf(
  units: readonly ReadUnit[],
  amount: (unit: ReadUnit) => number,
): (from: number, to: number) => number {
  const sums = [0]
  for (const unit of units) sums.push((sums.at(-1) as number) + amount(unit))
  return (from, to) => (sums[to] as number) - (sums[from] as number)
}
