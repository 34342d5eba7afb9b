import type { Answerer, AnswerPiece, Asked } from "../answerer.ts"
import type { Passage } from "../documents/document.ts"
import { type Quotation, quotations } from "./quote.ts"
import { bestRun, type Run, readPassage, termWeights, type WeighedSection, weighed } from "./run.ts"

/**
 * Answers with what the documentation says, word for word: sentences, items and code blocks that stand
 * together.
 */
export const extractive: Answerer = {
  version: "extractive-8",
  async *answer(asked) {
    yield* extract(asked)
  },
}

/** Passages that are read, of those that were ranked. */
const readPassages = 5
const quotedPassages = 3
/** What a visitor reads at a glance; a further passage gets half of it. */
const aimedWords = 70
/** A further passage is quoted when it is worth this share of the first. */
const furtherShare = 0.65
/** Runs that share this much of their words say the same. */
const alikeShare = 0.6

export function extract(asked: Asked): AnswerPiece[] {
  const read = asked.passages
    .slice(0, readPassages)
    .flatMap((passage, rank) => readPassage(passage, rank, asked))
  const weights = termWeights(asked, read)
  const sections = read.map((section) => weighed(section, weights))
  const [first] = runs(sections, aimedWords)
  if (!first) return []
  const chosen = [first]
  for (const run of runs(sections, aimedWords / 2)) {
    const isWorthIt = run.value >= first.value * furtherShare && !chosen.some((other) => alike(other, run))
    if (isWorthIt && chosen.length < quotedPassages) chosen.push(run)
  }
  return chosen.flatMap(({ passage, units }) =>
    quotations(passage.markdown, units).map((quotation, place) => ({
      ...quotation,
      ...(place === 0 && { markdown: withQuestion(passage, quotation) }),
      passages: [passage],
    })),
  )
}

/** Under the question that it stands under: "Non." may answer it, and not the visitor's. */
function withQuestion({ sections, headings }: Passage, { markdown, at }: Quotation): string {
  const heading = sections ? sections.findLast(({ from }) => from <= at)?.heading : headings.at(-1)
  return heading?.trimEnd().endsWith("?") ? `**${heading}**\n\n${markdown}` : markdown
}

/** The best of each, best first. */
function runs(sections: readonly WeighedSection[], words: number): Run[] {
  return sections
    .map((section) => bestRun(section, words))
    .filter((run) => run !== undefined)
    .sort((one, other) => other.value - one.value)
}

/** Documentations repeat themselves; an answer need not. */
function alike(one: Run, other: Run): boolean {
  if (one.passage === other.passage) return true
  const shared = [...one.terms].filter((term) => other.terms.has(term)).length
  return shared >= alikeShare * Math.min(one.terms.size, other.terms.size)
}
