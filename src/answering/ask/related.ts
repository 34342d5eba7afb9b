import type { Language } from "../../accounts/project.ts"
import type { Db } from "../../db/connection.ts"
import type { SectionStart } from "../../reading/formats/document.ts"
import { datedTitle } from "../../reading/formats/post.ts"
import { passageUnits } from "../../reading/passages/units.ts"
import type { DecidedRetrieval } from "../retrieval/decide-whether-answered.ts"
import type { FoundPassage } from "../retrieval/retrieve.ts"
import { quotedSection } from "./citations.ts"
import { requireAnswerOfOrigin } from "./feedback.ts"

/** A page that may help, at the section that came nearest: in place of an answer, or beside one. */
export interface RelatedPage {
  title: string
  section: string | null
  url: string
  /** The text of a page beside an answer, in simple Markdown: at most `maxExcerptCharacters` (`next-pages.ts`). */
  excerpt?: string
}

const maxRelated = 3
/**
 * Least confidence of retrieval at which its passages are worth showing, far below the one that answers; with vectors,
 * of both judgements multiplied. On ten documentations, 52 of the 64 refused questions that they do answer get pages,
 * 41 of them the right one, and one in ten of those from elsewhere.
 */
const minConfidence = { byWords: 0.15, byBoth: 0.08 }
/** A passage is shown if its score is at least this share of the best one's. */
const minScoreShare = 0.5

/**
 * The pages of the best ranked passages: one section of each, then further sections of the same pages.
 */
export function relatedPages({ ranked, decision, byWords, quoteSignals }: Judged, asked: RelatedRequest) {
  const { typical } = asked
  const isLikely = quoteSignals
    ? decision.confidence * byWords.confidence >= minConfidence.byBoth
    : decision.confidence >= minConfidence.byWords
  const isNear = typical !== undefined && ranked.some(({ meaning = -1 }) => meaning >= typical)
  if (!isLikely && !isNear) return []
  const minScore = (ranked[0]?.score ?? 0) * minScoreShare
  const byUrl = new Map<string, RelatedPage>()
  for (const one of ranked) {
    if (one.score <= 0 || one.score < minScore) continue
    const { heading: section, url } = nearestSection(one, asked)
    if (!byUrl.has(url)) byUrl.set(url, { title: datedTitle(one.passage, asked.language), section, url })
  }
  const pages = Map.groupBy(byUrl.values(), ({ url }) => url.split("#")[0] as string)
  const firsts = [...pages.values()].map(([first]) => first as RelatedPage)
  const others = [...pages.values()].flatMap(([, ...rest]) => rest)
  return [...firsts, ...others].slice(0, maxRelated)
}

/** The section of a passage that is nearest to the question: by its vector, else by its words. */
function nearestSection(
  { passage, unitNearness = [] }: FoundPassage,
  { question, language }: RelatedRequest,
): Pick<SectionStart, "heading" | "url"> {
  const { headings, url, sections, places } = passage
  if (sections === undefined && places === undefined) return { heading: headings.at(-1) ?? null, url }
  const nearnesses = unitNearness.map((nearness) => nearness ?? Number.NEGATIVE_INFINITY)
  const unit = passageUnits(passage, language)[nearnesses.indexOf(Math.max(...nearnesses))]
  return quotedSection(passage, { markdown: question, passages: [passage], ...(unit && { at: unit.at }) })
}

interface RelatedRequest {
  question: string
  language: Language
  /** Cosine of two unrelated passages, from which on a passage is near enough; undefined without vectors. */
  typical: number | undefined
}

type Judged = Pick<DecidedRetrieval, "ranked" | "decision" | "byWords" | "quoteSignals">

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
