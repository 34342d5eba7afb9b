import type { Language } from "../../accounts/project.ts"
import type { Db } from "../../db/connection.ts"
import type { Passage } from "../../reading/formats/document.ts"
import { isListOfLinks } from "../../reading/formats/link.ts"
import type { AnswerPiece } from "../answerer.ts"
import { isDuplicate } from "../extractive/choose.ts"
import type { Extraction } from "../extractive/extract.ts"
import type { NextPlace } from "../extractive/next-places.ts"
import type { DecidedRetrieval } from "../retrieval/decide-whether-answered.ts"
import { leastThreshold } from "../retrieval/thresholds.ts"
import { requireAnswerOfOrigin } from "./feedback.ts"
import { maxExcerptCharacters, pageAt, type RelatedPage } from "./next-pages.ts"

const maxRelated = 3
/**
 * Least confidence of retrieval at which its passages are worth showing, far below the one that answers; with vectors,
 * of both judgements multiplied. On ten documentations, 52 of the 64 refused questions that they do answer get pages,
 * 41 of them the right one, and one in ten of those from elsewhere.
 */
const minConfidence = { byWords: 0.15, byBoth: 0.08 }
/** A passage is shown if its score is at least this share of the best one's. */
const minScoreShare = 0.5

/** Finds for a question that are not sure enough to be said. */
export interface Unsure extends Pick<Extraction, "linesOf"> {
  retrieval: Pick<DecidedRetrieval, "ranked" | "decision" | "byWords" | "quoteSignals">
  quoted: readonly AnswerPiece[]
}

/**
 * The sections that may hold what was asked: first the one with the lines that would have been quoted, then one of
 * each of the best ranked pages, then further ones of the same pages. Equal texts are shown once, lists of links never.
 * `typical`: the cosine of two unrelated passages, from which on a passage is near enough; undefined without vectors.
 */
export function relatedPages(found: Unsure, language: Language, typical: number | undefined): RelatedPage[] {
  if (!isWorthOffering(found.retrieval, typical)) return []
  const { linesOf } = found
  const { ranked } = found.retrieval
  const minScore = (ranked[0]?.score ?? 0) * minScoreShare
  const others = ranked
    .filter(({ score }) => score > 0 && score >= minScore)
    .map(({ passage }) => linesOf(passage) ?? { passages: [passage] as [Passage], markdown: "", at: 0 })
  const offered: { page: RelatedPage; markdown: string }[] = []
  for (const place of [...found.quoted.slice(0, 1).map((piece) => shownLines(piece, linesOf)), ...others]) {
    const { markdown } = place
    const page = pageAt(place, language)
    const isShown = offered.some(
      (other) =>
        other.page.url === page.url ||
        (markdown !== "" && other.markdown !== "" && isDuplicate(other.markdown, markdown)),
    )
    if (!isShown && !isListOfLinks(markdown)) offered.push({ page, markdown })
  }
  const pages = offered.map(({ page }) => page)
  const firsts = [...Map.groupBy(pages, ({ url }) => url.split("#")[0]).values()].map(([first]) => first)
  return [...new Set([...(firsts as RelatedPage[]), ...pages])].slice(0, maxRelated)
}

function isWorthOffering(
  { ranked, decision, byWords, quoteSignals }: Unsure["retrieval"],
  typical: number | undefined,
): boolean {
  // A bolder project would have said it.
  if (decision.confidence >= leastThreshold) return true
  const isLikely = quoteSignals
    ? decision.confidence * byWords.confidence >= minConfidence.byBoth
    : byWords.confidence >= minConfidence.byWords
  return isLikely || (typical !== undefined && ranked.some(({ meaning = -1 }) => meaning >= typical))
}

/** The quotation, or the part of it that says most where it is too long to be shown. */
function shownLines({ markdown, passages, at }: AnswerPiece, linesOf: Unsure["linesOf"]): NextPlace {
  const [passage] = passages as [Passage]
  const whole: NextPlace = { markdown, passages: [passage], ...(at !== undefined && { at }) }
  return markdown.length <= maxExcerptCharacters ? whole : (linesOf(passage) ?? whole)
}

/**
 * The related pages of a stored answer: three that may help in its place, or two beside it. Throws Refusal:
 * `not_found`, `origin_not_allowed`.
 */
export async function findRelated(
  { db }: { db: Db },
  answerId: string,
  origin: string | null,
): Promise<RelatedPage[]> {
  return storedRelated((await requireAnswerOfOrigin(db, answerId, origin)).related)
}

export function storedRelated(stored: string | null): RelatedPage[] {
  return stored === null ? [] : (JSON.parse(stored) as RelatedPage[])
}
