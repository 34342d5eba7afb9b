import { analyse } from "./analyse.ts"
import type { Answerer, AnswerPiece, Asked } from "./answerer.ts"
import { blocksOf } from "./blocks.ts"

/** Answers with what the documentation says, word for word. */
export const extractive: Answerer = {
  version: "extractive-1",
  async *answer(asked) {
    yield* pieces(asked)
  },
}

const mostBlocks = 3

function pieces({ question, language, passages }: Asked): AnswerPiece[] {
  const best = passages[0]
  if (!best) return []
  const wanted = new Set(analyse(question, language))
  return blocksOf(best.markdown)
    .map((markdown, place) => ({ markdown, place, found: shared(analyse(markdown, language), wanted) }))
    .sort((one, other) => other.found - one.found || one.place - other.place)
    .slice(0, mostBlocks)
    .sort((one, other) => one.place - other.place)
    .map(({ markdown }) => ({ markdown, passages: [best] }))
}

function shared(terms: string[], wanted: ReadonlySet<string>): number {
  return new Set(terms.filter((term) => wanted.has(term))).size
}
