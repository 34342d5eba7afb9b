import type { Source } from "../../answering/ask/citations.ts"
import { withoutFragment } from "../../base/text.ts"
import type { Db } from "../../db/connection.ts"
import { answerPortions, answersIn, countByColumn, maxLookedAt } from "./asked-questions.ts"

/** How many answers cite a page. */
export interface CitedPage {
  title: string
  /** Without fragment. */
  url: string
  answers: number
}

/** Latest answers whose sources are counted. */
const maxAnswers = 5000

/** The pages that the answers since `sinceMs` cite most. */
export async function mostCitedPages(
  db: Db,
  projectId: string,
  { sinceMs, page, atMost }: { sinceMs: number; page?: string | undefined; atMost: number },
): Promise<CitedPage[]> {
  // Most answers are given again and again: each list of sources is read once.
  const times = new Map<string, number>()
  let looked = 0
  for await (const portion of answerPortions(db, projectId, sinceMs, { mostRows: maxLookedAt })) {
    const rows = await answersIn(db, projectId, sinceMs, portion)
      .select("sources")
      .where("status", "=", "answered")
      .where("courtesy", "is", null)
      .$if(page !== undefined, (query) => query.where("page", "=", page as string))
      .orderBy("id", "desc")
      .limit(maxAnswers - looked)
      .execute()
    for (const { sources } of rows) times.set(sources, (times.get(sources) ?? 0) + 1)
    looked += rows.length
    if (looked >= maxAnswers) break
  }
  const pages = new Map<string, CitedPage>()
  for (const [stored, answers] of times) {
    const cited = new Map(
      (JSON.parse(stored) as Source[]).map((source) => [withoutFragment(source.url), source]),
    )
    for (const [url, { title }] of cited) {
      const page = pages.get(url)
      if (page) page.answers += answers
      else pages.set(url, { title, url, answers })
    }
  }
  return [...pages.values()]
    .sort((one, other) => other.answers - one.answers || (one.url < other.url ? -1 : 1))
    .slice(0, atMost)
}

/** The pages on which most was asked since `sinceMs`, to choose one from. */
export async function askedOnPages(db: Db, projectId: string, sinceMs: number, atMost: number) {
  const times = await countByColumn(db, projectId, sinceMs, "page")
  return [...times]
    .map(([page, asked]) => ({ page, asked }))
    .sort((one, other) => other.asked - one.asked || (one.page < other.page ? -1 : 1))
    .slice(0, atMost)
}
