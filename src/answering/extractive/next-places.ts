import type { Passage } from "../../reading/formats/document.ts"
import type { AnswerPiece } from "../answerer.ts"
import type { QuestionWeights } from "./candidate.ts"
import { isDuplicate, type Scored, toBlock } from "./choose.ts"
import { bestWindow } from "./window.ts"

/** A part of the documentation that may answer in place of what was quoted, verbatim. */
export interface NextPlace extends AnswerPiece {
  passages: [Passage]
}

const maxPlaces = 2
const maxWords = 60
/** Least share of the best candidate’s score: decision 013. */
const minScoreShare = 0.7

/**
 * The windows that would be quoted next, best first: of passages that are not `cited`, each saying something else than
 * the answer's text and than the one before.
 */
export function nextPlaces(
  ranked: readonly Scored[],
  weights: QuestionWeights,
  cited: ReadonlySet<Passage>,
  answer: string,
): NextPlace[] {
  const minScore = minScoreShare * (ranked[0]?.score ?? 0)
  const places: NextPlace[] = []
  for (const { candidate, score } of ranked) {
    if (places.length === maxPlaces || score < minScore) break
    const window = cited.has(candidate.passage) ? undefined : bestWindow(candidate, weights, maxWords)
    if (!window) continue
    const { markdown, at } = toBlock({ candidate, score, window })
    const isKnown = [answer, ...places.map((place) => place.markdown)].some((text) =>
      isDuplicate(text, markdown),
    )
    if (!isKnown) places.push({ passages: [candidate.passage], markdown, at })
  }
  return places
}
