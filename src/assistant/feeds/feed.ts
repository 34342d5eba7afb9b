import type { Selectable } from "kysely"
import { detail, Refusal } from "../../base/errors.ts"
import { newId } from "../../base/ids.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import type { AssistantTables } from "../../db/tables/assistant.ts"
import type { Document, LeftOutReason } from "../documents/document.ts"

/** Where a project's documents are read from. */
export type Feed =
  | { id: string; projectId: string; kind: "dir"; address: string; baseUrl: string; urlStyle: UrlStyle }
  | { id: string; projectId: string; kind: "sitemap" | "llms"; address: string }

/** How a folder's file names become paths: `guide/install`, `guide/install.html` or `guide/install/`. */
export type UrlStyle = "clean" | "html" | "slash"

/** What became of one page of a feed in one reading. */
export type PageReading =
  | { page: string; outcome: "read"; document: Document }
  /** Not documentation, by its own word or ours: its last version goes. */
  | { page: string; outcome: "left_out"; reason: LeftOutReason; detail?: string }
  /** 404 or 410: its last version goes. */
  | { page: string; outcome: "gone" }
  /**
   * Could not be read this time: its last version stays. With `listIncomplete` it is a list of pages that
   * could not be read, such as one sitemap of several: then no document may be removed for being absent from
   * this reading.
   */
  | { page: string; outcome: "failed"; detail: string; listIncomplete?: true }

/**
 * Reads every page of a feed, once, in no order that matters; but for those that a reading which goes on has
 * read before. Throws Refusal when the feed itself cannot be read.
 */
export type FeedReader = (feed: Feed, signal: AbortSignal, before?: ReadBefore) => AsyncIterable<PageReading>

/** Pages of a feed, each with the address of the document that was made of it, if one was. */
export type ReadBefore = ReadonlyMap<string, string | undefined>

/** A feed without what storing it adds. */
export type FeedSource = Source<Feed>

type Source<Each> = Each extends Feed ? Omit<Each, "id" | "projectId"> : never

/** Of one project, as `detail("assistant.tooManyFeeds")` says. */
export const maxFeeds = 50

/**
 * Stores a feed of a project: of the same kind and address it is updated, otherwise another is added. Throws
 * Refusal `conflict` for one too many.
 */
export async function saveFeed(
  db: Db,
  projectId: string,
  wanted: FeedSource,
  nowMs: number,
): Promise<{ feed: Feed; added: boolean }> {
  const id = newId("feed", nowMs)
  const shape =
    wanted.kind === "dir"
      ? { base_url: wanted.baseUrl, url_style: wanted.urlStyle }
      : { base_url: null, url_style: null }
  const row = await db.transaction().execute(async (transaction) => {
    const others = (await listFeeds(transaction, projectId)).filter(
      ({ kind, address }) => kind !== wanted.kind || address !== wanted.address,
    )
    if (others.length >= maxFeeds)
      throw new Refusal("conflict", detail("assistant.tooManyFeeds"), {
        reason: `a project has ${maxFeeds} feeds at most`,
      })
    return transaction
      .insertInto("feed")
      .values({
        id,
        project_id: projectId,
        kind: wanted.kind,
        address: wanted.address,
        ...shape,
        created_at: nowMs,
        last_read_at: null,
      })
      .onConflict((conflict) => conflict.columns(["project_id", "kind", "address"]).doUpdateSet(shape))
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  return { feed: feedOf(row), added: row.id === id }
}

/** In the order they were added. */
export async function listFeeds(
  db: Db,
  projectId: string,
): Promise<(Feed & { lastReadAt: number | null })[]> {
  const rows = await db
    .selectFrom("feed")
    .selectAll()
    .where("project_id", "=", projectId)
    .orderBy("id")
    .execute()
  return rows.map((row) => ({ ...feedOf(row), lastReadAt: row.last_read_at }))
}

/**
 * Removes a feed that was never read. Of one that was, the live index holds documents, which are
 * `indexProject`'s to remove.
 */
export async function removeUnreadFeed(db: Db, id: string): Promise<void> {
  await db.deleteFrom("feed").where("id", "=", id).where("last_read_at", "is", null).execute()
}

function feedOf(row: Selectable<AssistantTables["feed"]>): Feed {
  const { id, project_id: projectId, kind, address } = row
  if (kind !== "dir") return { id, projectId, kind, address }
  return { id, projectId, kind, address, baseUrl: row.base_url ?? "", urlStyle: row.url_style ?? "clean" }
}
