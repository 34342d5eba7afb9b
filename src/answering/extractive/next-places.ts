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
/** Some 400 characters. */
const maxWords = 60
/** Least share of the best candidate’s score: decision 013. */
const minScoreShare = 0.7

/** The lines that would be quoted of a passage first of all; undefined where nothing of it can be read. */
export function shortPlace(
  ranked: readonly Scored[],
  weights: QuestionWeights,
  passage: Passage,
): NextPlace | undefined {
  const scored = ranked.find(({ candidate }) => candidate.passage === passage)
  const window = scored && bestWindow(scored.candidate, weights, maxWords)
  if (!window) return undefined
  const { markdown, at } = toBlock({ ...scored, window })
  return { passages: [passage], markdown, at }
}

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
    const place = cited.has(candidate.passage) ? undefined : shortPlace(ranked, weights, candidate.passage)
    if (!place) continue
    const isKnown = [answer, ...places.map(({ markdown }) => markdown)].some((text) =>
      isDuplicate(text, place.markdown),
    )
    if (!isKnown) places.push(place)
  }
  return places
}
