import type { Db } from "../db/connection.ts"
import { type PageRequest, search } from "../db/search.ts"
import { findRow } from "../db/store.ts"
import type { DocumentFormat, PageKind } from "../reading/formats/document.ts"
import { liveGeneration } from "./generation.ts"
import { documentsIn } from "./stored-document.ts"
import { type SkippedPage, storedDetail } from "./unfinished-reading.ts"

/** A page that the index holds. */
export interface IndexedPage {
  id: string
  url: string
  title: string
  readAt: number
  /** Why its passages stand behind those of other pages; null: they do not. */
  kind: PageKind | null
  /** Null for a page of a site. */
  format: DocumentFormat | null
}

/** A page that the last reading left out or could not read. */
export interface LeftOutPage extends SkippedPage {
  feedId: string
}

interface Searched extends PageRequest {
  /** Text to find in the address or title, regardless of case and accents. */
  search: string
}

/** Pages of the live index, the last changed first. `after` is the id of the last one shown. */
export async function listIndexedPages(db: Db, projectId: string, { search: typed, ...part }: Searched) {
  const live = await liveGeneration(db, projectId)
  if (!live) return []
  const read = ({ after, atMost }: PageRequest) =>
    documentsIn(db, projectId, live.number)
      .select(["id", "url", "title", "kind", "format", "read_at as readAt"])
      .$if(after !== undefined, (query) => query.where("id", "<", after as string))
      .orderBy("id", "desc")
      .limit(atMost)
      .execute()
  return search(
    typed,
    part,
    read,
    ({ id }) => id,
    ({ url, title }) => [url, title],
  )
}

/** Pages that were left out, by feed and name. `after` is `<feed>|<page>` of the last one shown. */
export async function listLeftOutPages(db: Db, projectId: string, { search: typed, ...part }: Searched) {
  return search(
    typed,
    part,
    (portion) => leftOutPagesOf(db, projectId, portion),
    ({ feedId, page }) => `${feedId}|${page}`,
    ({ page }) => [page],
  )
}

async function leftOutPagesOf(db: Db, projectId: string, { after, atMost }: PageRequest) {
  const [feedId = "", ...page] = after?.split("|") ?? []
  const rows = await db
    .selectFrom("left_out_page")
    .innerJoin("feed", "feed.id", "left_out_page.feed_id")
    .select(["feed_id as feedId", "page", "reason", "detail", "detail_code", "detail_params"])
    .where("feed.project_id", "=", projectId)
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple("feed_id", "page"), ">", tuple(feedId, page.join("|"))),
      ),
    )
    .orderBy("feed_id")
    .orderBy("page")
    .limit(atMost)
    .execute()
  return rows.map((row) => ({
    feedId: row.feedId,
    page: row.page,
    reason: row.reason as LeftOutPage["reason"],
    detail: storedDetail(row),
  }))
}

/** Number of pages in a project's index, and of those left out of it. */
export async function countPages(db: Db, projectId: string): Promise<{ indexed: number; leftOut: number }> {
  const live = await findRow(db, "generation", { project_id: projectId, live: 1 })
  const { leftOut } = await db
    .selectFrom("left_out_page")
    .innerJoin("feed", "feed.id", "left_out_page.feed_id")
    .select(({ fn }) => fn.countAll<number>().as("leftOut"))
    .where("feed.project_id", "=", projectId)
    .executeTakeFirstOrThrow()
  return { indexed: live?.documents ?? 0, leftOut }
}
