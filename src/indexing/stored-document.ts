import { setImmediate as yieldToEventLoop } from "node:timers/promises"
import { sql } from "kysely"
import { sha256 } from "../base/hash.ts"
import { idsOf, newId } from "../base/ids.ts"
import type { Db } from "../db/connection.ts"
import { bytesOf, deleteInSteps } from "../db/delete-in-steps.ts"
import type { Row } from "../db/schema.ts"
import { rowsOfPage } from "../db/search.ts"
import { insertRows } from "../db/store.ts"
import { unindexed } from "../db/words.ts"
import { write } from "../db/writes.ts"
import type { Document, HtmlNotes, Section } from "../reading/formats/document.ts"
import { tellPageKind } from "../reading/formats/page-kind.ts"
import { type RepeatedText, withoutRepeated } from "../reading/formats/repeated.ts"
import type { Feed } from "../reading/kinds/table.ts"
import { type Building, whileBuilding } from "./building.ts"

/** A page that was read, ready to be stored as a version of its document. */
export interface StagedDocument {
  page: string
  document: Document
  hash: string
}

/** SHA-256 of everything that passages are made from. */
export function hashOf(document: Document): string {
  const { path, url, title, sections, html, published } = document
  const notes = html ? [html.doubtful, html.otherTitle] : []
  const kind = tellPageKind(document)
  const shape = published || kind ? [{ published, kind }] : []
  return sha256(JSON.stringify([path, url, title, sections, ...notes, ...shape]))
}

/** The version of a page that is in force before `generation`; undefined when there is none. */
export async function storedVersion(db: Db, feedId: string, page: string, generation: number) {
  return db
    .selectFrom("document")
    .select(["hash", "html", "path", "url"])
    .where("feed_id", "=", feedId)
    .where("page", "=", page)
    .where("since", "<", generation)
    .where("until", "is", null)
    .executeTakeFirst()
}

/** Notes of pages whose text is unchanged: menus may say something else. */
export async function changeNotes(
  transaction: Db,
  feedId: string,
  generation: number,
  pages: { page: string; html: string | null }[],
): Promise<void> {
  for (const { page, html } of pages)
    await transaction
      .updateTable("document")
      .set({ html })
      .where("feed_id", "=", feedId)
      .where("page", "=", page)
      .where("since", "<", generation)
      .where("until", "is", null)
      .execute()
}

export function notesJson({ html }: Document): string | null {
  return html ? JSON.stringify(html) : null
}

/** Stores new versions for a generation that is being built, in a transaction of `whileBuilding`. */
export async function stageDocuments(
  transaction: Db,
  feed: Feed,
  generation: number,
  staged: StagedDocument[],
  nowMs: number,
): Promise<void> {
  if (staged.length === 0) return
  await endVersions(
    transaction,
    feed.id,
    generation,
    staged.map(({ page }) => page),
    staged.map(({ page, document, hash }) => ({
      id: newId("doc", nowMs),
      project_id: feed.projectId,
      feed_id: feed.id,
      page,
      path: document.path,
      url: document.url,
      title: document.title,
      sections: JSON.stringify(document.sections),
      html: notesJson(document),
      published: document.published ?? null,
      kind: tellPageKind(document) ?? null,
      format: document.format ?? null,
      hash,
      read_at: nowMs,
      since: generation,
      until: null,
    })),
  )
}

/** Marks the documents of some pages as absent from a generation that is being built, in short transactions. */
export const stageRemovals = write(
  "stageRemovals",
  async (db: Db, feedId: string, building: Building, pages: string[]): Promise<void> => {
    for (const some of chunks(pages))
      await whileBuilding(db, building, (transaction) =>
        endVersions(transaction, feedId, building.number, some, []),
      )
  },
)

/** Pages of a feed that had a document before `generation`. */
export async function storedPages(db: Db, feedId: string, generation: number): Promise<string[]> {
  const rows = await db
    .selectFrom("document")
    .select("page")
    .where("feed_id", "=", feedId)
    .where("since", "<", generation)
    .where((by) => by.or([by("until", "is", null), by("until", "=", generation)]))
    .execute()
  return rows.map((row) => row.page)
}

/** Undoes the staging for a generation in the caller's transaction, of one feed or of the whole project. */
export async function unstage(transaction: Db, projectId: string, generation: number, feedId?: string) {
  await transaction
    .deleteFrom("document")
    .where("project_id", "=", projectId)
    .where("since", "=", generation)
    .$if(feedId !== undefined, (query) => query.where("feed_id", "=", feedId as string))
    .execute()
  await transaction
    .updateTable("document")
    .set({ until: null })
    .where("project_id", "=", projectId)
    .where("until", "=", generation)
    .$if(feedId !== undefined, (query) => query.where("feed_id", "=", feedId as string))
    .execute()
}

/** Deletes the versions that ended with `generation` or before, in short transactions. */
export const forgetVersions = write(
  "forgetVersions",
  async (db: Db, projectId: string, generation: number): Promise<void> => {
    await deleteInSteps(db, "document", ({ and, eb }) =>
      and([eb("project_id", "=", projectId), eb("until", "is not", null), eb("until", "<=", generation)]),
    )
  },
)

/** Number of documents of a generation. */
export async function countDocuments(db: Db, projectId: string, generation: number): Promise<number> {
  const { count } = await documentsIn(db, projectId, generation)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow()
  return count
}

const listedAtOnce = 100

/**
 * The documents of a generation without what their feeds' pages repeat: there may be 100,000, each of some megabytes,
 * so that they are read by their bytes. `repeated`: by feed.
 */
export async function* documentsOf(
  db: Db,
  projectId: string,
  generation: number,
  repeated: ReadonlyMap<string, RepeatedText>,
): AsyncGenerator<Document> {
  for (let last = ""; ; ) {
    const sized = await documentsIn(db, projectId, generation)
      .select(["id", bytesOf("document.sections", "document.html").as("bytes")])
      .where("id", ">", last)
      .orderBy("id")
      .limit(listedAtOnce)
      .execute()
    const ids = idsOf(sized.slice(0, rowsOfPage(sized, listedAtOnce)))
    last = ids.at(-1) ?? ""
    if (!last) return
    const rows = await db
      .selectFrom("document")
      .select(["feed_id", ...documentColumns])
      .where("id", "in", ids)
      .orderBy("id")
      .execute()
    // A row is let go before its document is worked on. Each step on a large one is a tick of its own.
    for (let row = rows.shift(); row; row = rows.shift()) {
      await yieldToEventLoop()
      const { document } = await withoutRepeated(documentOf(row), repeated.get(row.feed_id))
      await yieldToEventLoop()
      yield document
    }
  }
}

export const documentColumns = ["path", "url", "title", "sections", "html", "published", "format"] as const

export function documentOf(row: Pick<Row<"document">, (typeof documentColumns)[number]>): Document {
  const { path, url, title, sections, html, published, format } = row
  const notes = html === null ? {} : { html: JSON.parse(html) as HtmlNotes }
  const news = published === null ? {} : { published }
  const kind = format === null ? {} : { format }
  return { path, url, title, sections: JSON.parse(sections) as Section[], ...notes, ...news, ...kind }
}

/**
 * Query for the documents of a generation. When several feeds hold the same address, only the version that
 * changed last is selected: otherwise a question would find and cite the page twice.
 */
export function documentsIn(db: Db, projectId: string, generation: number) {
  return (
    db
      .selectFrom("document")
      .where("document.project_id", "=", projectId)
      // Nearly every version has begun by then: SQLite would read all of them from the index of this column.
      .where(sql<boolean>`${unindexed(db, "document.since")} <= ${generation}`)
      .where((by) => by.or([by("document.until", "is", null), by("document.until", ">", generation)]))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("document as newer")
              .select("newer.id")
              .where("newer.project_id", "=", projectId)
              .whereRef("newer.url", "=", "document.url")
              .whereRef("newer.feed_id", "!=", "document.feed_id")
              // With the indexes of these columns SQLite would compare every document with every other.
              .where(sql<boolean>`${unindexed(db, "newer.id")} > document.id`)
              .where(sql<boolean>`${unindexed(db, "newer.since")} <= ${generation}`)
              .where((by) => by.or([by("newer.until", "is", null), by("newer.until", ">", generation)])),
          ),
        ),
      )
  )
}

/** Ends the current versions of some pages and inserts new ones. */
async function endVersions(
  transaction: Db,
  feedId: string,
  generation: number,
  pages: string[],
  begun: Row<"document">[],
): Promise<void> {
  await transaction
    .updateTable("document")
    .set({ until: generation })
    .where("feed_id", "=", feedId)
    .where("page", "in", pages)
    .where("since", "<", generation)
    .where("until", "is", null)
    .execute()
  if (begun.length === 0) return
  await transaction
    .deleteFrom("document")
    .where("feed_id", "=", feedId)
    .where("page", "in", pages)
    .where("since", "=", generation)
    .execute()
  await insertRows(transaction, "document", begun)
}

const chunkSize = 500

function* chunks(pages: string[]): Generator<string[]> {
  for (let start = 0; start < pages.length; start += chunkSize) yield pages.slice(start, start + chunkSize)
}
