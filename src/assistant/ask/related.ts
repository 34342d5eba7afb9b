import type { Db } from "../../db/connection.ts"
import type { Retrieval } from "../retrieval/retrieve.ts"
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
 * Least confidence of retrieval at which its passages are worth showing, far below the one that answers. On five
 * documentations, four in five of the refused questions that they do answer reach it, and one in six of those
 * from elsewhere.
 */
const minConfidence = 0.15
/** A passage is shown if its score is at least this share of the best one's. */
const minScoreShare = 0.5

/** The pages of the best ranked passages: one section of each, then further sections of the same pages. */
export function relatedPages({ ranked, decision }: Pick<Retrieval, "ranked" | "decision">): RelatedPage[] {
  if (decision.confidence < minConfidence && !decision.isNear) return []
  const minScore = (ranked[0]?.score ?? 0) * minScoreShare
  const found = new Map<string, RelatedPage>()
  for (const { passage, score } of ranked) {
    const { title, headings, url } = passage
    if (score > 0 && score >= minScore && !found.has(url))
      found.set(url, { title, section: headings.at(-1) ?? null, url })
  }
  const pages = Map.groupBy(found.values(), ({ url }) => url.split("#")[0] as string)
  const firsts = [...pages.values()].map(([first]) => first as RelatedPage)
  const others = [...pages.values()].flatMap(([, ...rest]) => rest)
  return [...firsts, ...others].slice(0, maxRelated)
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
