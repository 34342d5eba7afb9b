import { dayMs } from "../base/clock.ts"
import type { Db } from "../db/connection.ts"
import { deleteInSteps } from "../db/delete-in-steps.ts"
import { write } from "../db/writes.ts"
import type { Section } from "../reading/formats/document.ts"
import { crawlLimits, type Visit, type Visits } from "../reading/kinds/crawl/visits.ts"

/** After this long a page is read whole again: it may be read better by then, and a site may be wrong about itself. */
const trustedMs = 7 * dayMs
const latelyMs = 30 * dayMs
const mostLately = 1000

/** The visits of a feed, for the reading that builds a generation. */
export async function visitsOf(db: Db, feedId: string, generation: number, nowMs: number): Promise<Visits> {
  const lately = await db
    .selectFrom("visited_page")
    .select("page")
    .where("feed_id", "=", feedId)
    .where("changed_at", ">", nowMs - latelyMs)
    .orderBy("changed_at", "desc")
    .limit(mostLately)
    .execute()
  const repeating = await db
    .selectFrom("left_out_page")
    .select("page")
    .where("feed_id", "=", feedId)
    .where("reason", "=", "duplicate")
    .limit(crawlLimits.pages)
    .execute()
  return {
    lately: new Set(lately.map(({ page }) => page)),
    repeating: new Set(repeating.map(({ page }) => page)),
    async of(page) {
      const row = await db
        .selectFrom("visited_page")
        .leftJoin("document", (join) =>
          join
            .onRef("document.feed_id", "=", "visited_page.feed_id")
            .onRef("document.page", "=", "visited_page.page")
            .onRef("document.hash", "=", "visited_page.hash")
            .on("document.since", "<", generation)
            .on("document.until", "is", null),
        )
        .select(["etag", "last_modified", "links", "visited_page.read_at as readAt", "document.url as url"])
        .where("visited_page.feed_id", "=", feedId)
        .where("visited_page.page", "=", page)
        .executeTakeFirst()
      if (!row) return undefined
      const { etag, last_modified: lastModified, links, readAt, url } = row
      const isTrusted = readAt > nowMs - trustedMs && (etag ?? lastModified) !== null
      return {
        etag,
        lastModified,
        links: JSON.parse(links) as string[],
        url: isTrusted ? (url ?? undefined) : undefined,
      }
    },
    async documentOf(page) {
      const row = await db
        .selectFrom("document")
        .select(["title", "url", "sections"])
        .where("feed_id", "=", feedId)
        .where("page", "=", page)
        .where("since", "<=", generation)
        .where(({ or, eb }) => or([eb("until", "is", null), eb("until", ">", generation)]))
        .orderBy("since", "desc")
        .limit(1)
        .executeTakeFirst()
      return row && { ...row, sections: JSON.parse(row.sections) as Section[] }
    },
  }
}

export interface VisitedPage {
  page: string
  /** Of its document; empty without one. */
  hash: string
  visit: Visit
  isChanged: boolean
}

/** Remembers visits in the transaction that stores what came of them. */
export async function rememberVisits(
  transaction: Db,
  feedId: string,
  visits: readonly VisitedPage[],
  nowMs: number,
): Promise<void> {
  for (const { page, hash, visit, isChanged } of visits) {
    const told = {
      hash,
      etag: visit.etag,
      last_modified: visit.lastModified,
      links: JSON.stringify(visit.links),
      read_at: nowMs,
    }
    await transaction
      .insertInto("visited_page")
      .values({ feed_id: feedId, page, ...told, changed_at: nowMs })
      .onConflict((conflict) =>
        conflict
          .columns(["feed_id", "page"])
          .doUpdateSet({ ...told, ...(isChanged && { changed_at: nowMs }) }),
      )
      .execute()
  }
}

/** Forgets pages that no reading has come to for long: those of today are read whole once a week. */
export const forgetVisits = write("forgetVisits", async (db: Db, feedId: string, nowMs: number) => {
  await deleteInSteps(db, "visited_page", ({ and, eb }) =>
    and([eb("feed_id", "=", feedId), eb("read_at", "<", nowMs - latelyMs)]),
  )
})
