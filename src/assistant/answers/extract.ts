import type { Answerer, AnswerPiece, Asked } from "./answerer.ts"
import { quotations } from "./quote.ts"
import { bestRun, type ReadSection, type Run, readPassage, termWeights } from "./run.ts"

/** Answers with what the documentation says, word for word: sentences, items and code blocks that stand together. */
export const extractive: Answerer = {
  version: "extractive-3",
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
  const sections = asked.passages
    .slice(0, readPassages)
    .flatMap((passage, rank) => readPassage(passage, rank, asked))
  const weights = termWeights(asked, sections)
  const [first] = runs(sections, weights, aimedWords)
  if (!first) return []
  const chosen = [first]
  for (const run of runs(sections, weights, aimedWords / 2)) {
    const isWorthIt = run.value >= first.value * furtherShare && !chosen.some((other) => alike(other, run))
    if (isWorthIt && chosen.length < quotedPassages) chosen.push(run)
  }
  return chosen.flatMap(({ passage, units }) =>
    quotations(passage.markdown, units).map((markdown) => ({ markdown, passages: [passage] })),
  )
}

/** The best of each, best first. */
function runs(sections: readonly ReadSection[], weights: ReadonlyMap<string, number>, words: number): Run[] {
  return sections
    .map((section) => bestRun(section, weights, words))
    .filter((run) => run !== undefined)
    .sort((one, other) => other.value - one.value)
}

/** Documentations repeat themselves; an answer need not. */
function alike(one: Run, other: Run): boolean {
  if (one.passage === other.passage) return true
  const shared = [...one.terms].filter((term) => other.terms.has(term)).length
  return shared >= alikeShare * Math.min(one.terms.size, other.terms.size)
}
