import { dayMs } from "../../base/clock.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import type { AssistantTables } from "../../db/tables/assistant.ts"
import type { LeftOutReason } from "../documents/document.ts"

/** A page that was left out of the index, or kept as it was because it could not be read, with the reason. */
export interface SkippedPage {
  page: string
  reason: LeftOutReason | "failed"
  detail: string | null
}

/** A page that an unfinished reading is done with: its document, new or as it was, or why there is none. */
export type HandledPage =
  | { page: string; outcome: "changed" | "unchanged"; path: string; url: string }
  | ({ outcome: "failed" | "left_out" } & SkippedPage)

/** What is older has to be read anew. */
const keptMs = dayMs

/** Keeps in mind that a reading builds this generation: whatever ends it, the next one may go on. */
export async function beginReading(
  db: Db,
  projectId: string,
  generation: number,
  nowMs: number,
): Promise<void> {
  const row = { project_id: projectId, generation, begun_at: nowMs, touched_at: nowMs }
  await db.insertInto("unfinished_reading").values(row).execute()
}

/**
 * The generation that an unfinished reading builds, and when that was begun. The caller holds the project's
 * lock.
 */
export async function unfinishedReading(
  db: Db,
  projectId: string,
  nowMs: number,
): Promise<{ generation: number; begunAt: number } | undefined> {
  return db
    .selectFrom("unfinished_reading")
    .innerJoin("generation", (join) =>
      join
        .onRef("generation.project_id", "=", "unfinished_reading.project_id")
        .onRef("generation.number", "=", "unfinished_reading.generation"),
    )
    .select(["unfinished_reading.generation", "begun_at as begunAt"])
    .where("unfinished_reading.project_id", "=", projectId)
    .where("touched_at", ">", nowMs - keptMs)
    .where("live", "=", 0)
    .where("replaced_at", "is", null)
    .executeTakeFirst()
}

/** Stored after the documents: a page of which only the document was stored is read once more. */
export async function keepHandled(
  db: Db,
  feed: { id: string; projectId: string },
  pages: readonly HandledPage[],
  nowMs: number,
): Promise<void> {
  if (pages.length === 0) return
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto("unfinished_page")
      .values(pages.map((page) => rowOf(feed.id, page)))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await transaction
      .updateTable("unfinished_reading")
      .set({ touched_at: nowMs })
      .where("project_id", "=", feed.projectId)
      .execute()
  })
}

export async function handledPages(db: Db, feedId: string): Promise<HandledPage[]> {
  const rows = await db.selectFrom("unfinished_page").selectAll().where("feed_id", "=", feedId).execute()
  return rows.map(pageOf)
}

/** The project's next reading begins anew. In short transactions: there may be 100,000 pages. */
export async function forgetReading(db: Db, projectId: string): Promise<void> {
  await db.deleteFrom("unfinished_reading").where("project_id", "=", projectId).execute()
  const feeds = await db.selectFrom("feed").select("id").where("project_id", "=", projectId).execute()
  for (const { id } of feeds) await forgetHandled(db, id)
}

export async function forgetHandled(db: Db, feedId: string): Promise<void> {
  for (;;) {
    const some = await db
      .selectFrom("unfinished_page")
      .select("page")
      .where("feed_id", "=", feedId)
      .limit(500)
      .execute()
    if (some.length === 0) return
    await db
      .deleteFrom("unfinished_page")
      .where("feed_id", "=", feedId)
      .where(
        "page",
        "in",
        some.map(({ page }) => page),
      )
      .execute()
  }
}

function rowOf(feedId: string, handled: HandledPage): AssistantTables["unfinished_page"] {
  const { page, outcome } = handled
  const nothing = { path: null, url: null, reason: null, detail: null }
  if ("path" in handled)
    return { ...nothing, feed_id: feedId, page, outcome, path: handled.path, url: handled.url }
  return { ...nothing, feed_id: feedId, page, outcome, reason: handled.reason, detail: handled.detail }
}

function pageOf({
  page,
  outcome,
  path,
  url,
  reason,
  detail,
}: AssistantTables["unfinished_page"]): HandledPage {
  if (outcome === "changed" || outcome === "unchanged")
    return { page, outcome, path: path ?? "", url: url ?? "" }
  return { page, outcome, reason: reason as SkippedPage["reason"], detail }
}
