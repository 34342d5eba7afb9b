import type { Passage } from "../documents/document.ts"
import { withoutLinkTargets } from "../documents/link-targets.ts"
import { analyse } from "../retrieval/analyse.ts"
import { contextWeight } from "../retrieval/question.ts"
import type { Asked } from "./answerer.ts"
import { completed } from "./complete.ts"
import { type Unit, unitsOf } from "./units.ts"

/** Units of one passage in a row. */
export interface Run {
  passage: Passage
  units: Unit[]
  terms: ReadonlySet<string>
  /** Share of the question that it speaks of, less what it costs to read and to have been ranked low. */
  value: number
}

export interface ReadPassage {
  passage: Passage
  /** 0 for the best. */
  rank: number
  head: ReadonlySet<string>
  units: (Unit & { terms: ReadonlySet<string> })[]
}

/** Less says too little, where the passage says more. */
const fewWords = 35
/** A line of code is skimmed. */
const wordsPerCodeLine = 1.5
const wordCost = 0.006
/** What a passage is worth less for each that was ranked before it. */
const rankCost = 0.2
/** What begins a section speaks of what its headings name. */
const leadShare = 0.5

export function readPassage(passage: Passage, rank: number, { language }: Asked): ReadPassage {
  const terms = (text: string) => new Set(analyse(text, language))
  return {
    passage,
    rank,
    head: terms([passage.title, ...passage.headings].join("\n")),
    units: unitsOf(passage.markdown, language).map((unit) => ({
      ...unit,
      terms: terms(withoutLinkTargets(unit.markdown)),
    })),
  }
}

/** What each term of the question is worth: the fewer units of these passages hold it, the more. Sums to 1. */
export function termWeights(asked: Asked, passages: readonly ReadPassage[]): Map<string, number> {
  const units = passages.flatMap((passage) => passage.units)
  const weights = new Map<string, number>()
  const add = (text: string, weight: number) => {
    for (const term of analyse(text, asked.language)) {
      const holding = units.filter(({ terms }) => terms.has(term)).length
      if (holding > 0 && !weights.has(term)) weights.set(term, weight * Math.log(1 + units.length / holding))
    }
  }
  add(asked.question, 1)
  for (const turn of asked.previous) add(turn.question, contextWeight)
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
  return new Map([...weights].map(([term, weight]) => [term, weight / total]))
}

/** The run that says most about the question in about `aimedWords`; undefined when all that is there is too long to read. */
export function bestRun(
  { passage, rank, head, units }: ReadPassage,
  weights: ReadonlyMap<string, number>,
  aimedWords: number,
): Run | undefined {
  const worth = (terms: Iterable<string>) =>
    [...terms].reduce((sum, term) => sum + (weights.get(term) ?? 0), 0)
  const lead = worth(head) * leadShare
  let best: Run | undefined
  for (let start = 0; start < units.length; start++) {
    const terms = new Set<string>()
    for (let end = start; end < units.length; end++) {
      for (const term of units[end]?.terms ?? []) terms.add(term)
      const run = completed(units, start, end)
      if (!run) break
      const words = run.reduce((sum, unit) => sum + readingWords(unit), 0)
      const length = Math.max(0, words - aimedWords, fewWords - words) * wordCost
      const value = worth(terms) + (start === 0 ? lead : 0) - length - rank * rankCost
      if (!best || value > best.value) best = { passage, units: run, terms: new Set(terms), value }
      if (words > aimedWords * 2) break
    }
  }
  return best
}

function readingWords({ kind, words, markdown }: Unit): number {
  return kind === "code" ? markdown.split("\n").length * wordsPerCodeLine : words
}
