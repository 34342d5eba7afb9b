import type { Answerer, AnswerPiece, QuestionWithPassages } from "../answerer.ts"
import type { Passage } from "../documents/document.ts"
import {
  bestSnippet,
  type ScoredSection,
  type Snippet,
  scoreSection,
  sectionsOf,
  termWeights,
} from "./snippet.ts"
import type { Unit } from "./units.ts"

/** Answers with verbatim quotations: consecutive sentences, list items and code blocks. */
export const extractive: Answerer = {
  version: "extractive-8",
  async *answer(question) {
    yield* extract(question)
  },
}

/** Number of the best ranked passages that are searched for quotations. */
const readPassages = 5
const maxQuotedPassages = 3
/** Words read at a glance. Each further passage gets half as many. */
const aimedWords = 70
/** A further passage is quoted if its score is at least this share of the first one's. */
const minScoreShare = 0.65
/** Snippets that share this part of their terms say the same. */
const duplicateShare = 0.6

export function extract(question: QuestionWithPassages): AnswerPiece[] {
  const read = question.passages
    .slice(0, readPassages)
    .flatMap((passage, rank) => sectionsOf(passage, rank, question))
  const weights = termWeights(question, read)
  const sections = read.map((section) => scoreSection(section, weights))
  const [first] = rankedSnippets(sections, aimedWords)
  if (!first) return []
  const chosen = [first]
  for (const snippet of rankedSnippets(sections, aimedWords / 2)) {
    const isWorthQuoting =
      snippet.score >= first.score * minScoreShare && !chosen.some((other) => isDuplicate(other, snippet))
    if (isWorthQuoting && chosen.length < maxQuotedPassages) chosen.push(snippet)
  }
  return chosen.flatMap(({ passage, units }) =>
    quotations(passage.markdown, units).map((quotation, index) => ({
      ...quotation,
      ...(index === 0 && { markdown: withHeadingQuestion(passage, quotation) }),
      passages: [passage],
    })),
  )
}

/** The best snippet of each section, best first. */
function rankedSnippets(sections: readonly ScoredSection[], words: number): Snippet[] {
  return sections
    .map((section) => bestSnippet(section, words))
    .filter((snippet) => snippet !== undefined)
    .sort((one, other) => other.score - one.score)
}

/** Keeps an answer from repeating a text that the documentation has twice. */
function isDuplicate(one: Snippet, other: Snippet): boolean {
  if (one.passage === other.passage) return true
  const shared = [...one.terms].filter((term) => other.terms.has(term)).length
  return shared >= duplicateShare * Math.min(one.terms.size, other.terms.size)
}

/** A verbatim part of a passage. */
export interface Quotation {
  markdown: string
  /** Offset in the passage, in UTF-16 code units. */
  at: number
}

/**
 * Joins units that share one marker into a quotation: sentences of one paragraph, or a line and the code that
 * it introduces.
 */
export function quotations(passage: string, units: readonly Unit[]): Quotation[] {
  const groups: [Unit, ...Unit[]][] = []
  for (const unit of units) {
    const group = groups.at(-1)
    if (group && areQuotedTogether(group.at(-1) as Unit, unit)) group.push(unit)
    else groups.push([unit])
  }
  return groups.map((group) => {
    const { at } = group[0]
    const last = group.at(-1) as Unit
    return { markdown: passage.slice(at, last.at + last.markdown.length), at }
  })
}

function areQuotedTogether(before: Unit, unit: Unit): boolean {
  if (unit.kind === "code") return true
  if (unit.kind !== "sentence") return false
  return before.kind === "label" || (before.kind === "sentence" && before.block === unit.block)
}

/**
 * Puts a heading that is a question above the quotation. A text such as "Non." answers that question, which
 * may not be the visitor's.
 */
function withHeadingQuestion({ sections, headings }: Passage, { markdown, at }: Quotation): string {
  const heading = sections ? sections.findLast(({ from }) => from <= at)?.heading : headings.at(-1)
  return heading?.trimEnd().endsWith("?") ? `**${heading}**\n\n${markdown}` : markdown
}
