import { dayMs } from "../base/clock.ts"
import type { DetailParams, Explanation } from "../base/errors.ts"
import type { Db } from "../db/connection.ts"
import { deleteInSteps } from "../db/delete-in-steps.ts"
import type { Row } from "../db/schema.ts"
import { changeRows, insertMissing } from "../db/store.ts"
import { write } from "../db/writes.ts"
import type { LeftOutReason } from "../reading/formats/document.ts"
import { type Building, whileBuilding } from "./building.ts"

/** A page that was left out of the index, or kept as it was because it could not be read, with the reason. */
export interface SkippedPage {
  page: string
  reason: LeftOutReason | "failed"
  detail: Explanation | null
}

/** A page that an unfinished reading has tried: its document, new or as it was, or why it has none. */
export type HandledPage =
  | { page: string; outcome: "changed" | "unchanged"; path: string; url: string }
  | ({ outcome: "failed" | "left_out" } & SkippedPage)

/** A reading without progress for this long begins anew. */
const keptMs = dayMs

/** Records that a reading builds this generation, so that the next one resumes it, however this one ends. */
export const beginReading = write("beginReading", async (db: Db, building: Building, nowMs: number) => {
  const { projectId, number } = building
  const row = { project_id: projectId, generation: number, begun_at: nowMs, touched_at: nowMs }
  await whileBuilding(db, building, (transaction) =>
    transaction.insertInto("unfinished_reading").values(row).execute(),
  )
})

/** The generation that an unfinished reading builds, and its start. The caller holds the project's lock. */
export async function unfinishedReading(db: Db, projectId: string, nowMs: number) {
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

/** Records pages as tried, in the transaction that stores their documents. */
export async function recordHandled(
  transaction: Db,
  feed: { id: string; projectId: string },
  pages: readonly HandledPage[],
  nowMs: number,
): Promise<void> {
  const rows = pages.map((page) => rowOf(feed.id, page))
  await insertMissing(transaction, "unfinished_page", rows)
  await changeRows(transaction, "unfinished_reading", { project_id: feed.projectId }, { touched_at: nowMs })
}

export async function handledPages(db: Db, feedId: string): Promise<HandledPage[]> {
  const rows = await db.selectFrom("unfinished_page").selectAll().where("feed_id", "=", feedId).execute()
  return rows.map(pageOf)
}

/** Lets the project's next reading begin anew. Its pages are forgotten by `forgetHandledOf`. */
export async function forgetReading(db: Db, projectId: string): Promise<void> {
  await db.deleteFrom("unfinished_reading").where("project_id", "=", projectId).execute()
}

/**
 * Deletes the pages that were tried, in short transactions: there may be 100,000. A page of a reading that goes on is
 * at worst read once more.
 */
export const forgetHandledOf = write("forgetHandledOf", async (db: Db, projectId: string): Promise<void> => {
  const feeds = await db.selectFrom("feed").select("id").where("project_id", "=", projectId).execute()
  for (const { id } of feeds) await forgetHandled(db, id)
})

export const forgetHandled = write("forgetHandled", async (db: Db, feedId: string): Promise<void> => {
  await deleteInSteps(db, "unfinished_page", (page) => page("feed_id", "=", feedId))
})

function rowOf(feedId: string, handled: HandledPage): Row<"unfinished_page"> {
  const { page, outcome } = handled
  const row = { feed_id: feedId, page, outcome, path: null, url: null, reason: null, ...detailColumns(null) }
  return "path" in handled
    ? { ...row, path: handled.path, url: handled.url }
    : { ...row, reason: handled.reason, ...detailColumns(handled.detail) }
}

function pageOf(row: Row<"unfinished_page">): HandledPage {
  const { page, outcome, path, url, reason } = row
  if (outcome === "changed" || outcome === "unchanged")
    return { page, outcome, path: path ?? "", url: url ?? "" }
  return { page, outcome, reason: reason as SkippedPage["reason"], detail: storedDetail(row) }
}

type DetailColumns = Pick<Row<"left_out_page">, "detail" | "detail_code" | "detail_params">

/** A code goes with its params into two columns; words of another program stay words. */
export function detailColumns(told: Explanation | null): DetailColumns {
  if (told === null || typeof told === "string")
    return { detail: told, detail_code: null, detail_params: null }
  return { detail: null, detail_code: told.code, detail_params: JSON.stringify(told.params ?? {}) }
}

export function storedDetail({ detail, detail_code, detail_params }: DetailColumns): Explanation | null {
  if (detail_code === null) return detail
  return { code: detail_code, params: JSON.parse(detail_params ?? "{}") as DetailParams }
}
