import { dayMs } from "../base/clock.ts"
import { type Detail, detail, type Explanation, Refusal, required, requireRoom } from "../base/errors.ts"
import { newId } from "../base/ids.ts"
import type { Db } from "../db/connection.ts"
import { deleteBelongings } from "../db/delete-in-steps.ts"
import type { Row } from "../db/schema.ts"
import { changeRows } from "../db/store.ts"
import { withLock } from "../db/with-lock.ts"
import { write } from "../db/writes.ts"
import { headerNames } from "../http/record/own-headers.ts"
import type { Document, LeftOutReason } from "./formats/document.ts"
import type { UrlStyle } from "./generators/kit/generator.ts"
import type { Generator } from "./generators/names.ts"
import { type CrawlSettings, usualCrawl, type Visit, type Visits } from "./kinds/crawl/visits.ts"
import { requireHttps, type SealHeaders } from "./own-headers.ts"
import { type PagePatterns, patternProblem } from "./page-patterns.ts"

/** A place that a project's documents are read from. */
export type Feed = FolderFeed | GitFeed | WebFeed | PagesFeed | CrawlFeed | UploadFeed

/** The part of a feed that is read over the network. */
interface Protected {
  /** JSON of its own headers, for `headersOf`. */
  sealedHeaders?: string | undefined
}

interface OfPages extends Protected {
  /** Whether the documents that its pages link to are read too. */
  documents?: boolean | undefined
}

interface WebFeed extends PagePatterns, OfPages {
  id: string
  projectId: string
  /** `site`: its sitemaps are looked for where sites usually name them. */
  kind: "site" | "sitemap" | "llms"
  address: string
}

/** Pages that are named one by one. */
interface PagesFeed extends PagePatterns, OfPages {
  id: string
  projectId: string
  kind: "pages"
  /** The site that they stand on. */
  address: string
  pages: readonly string[]
}

/** Files that the owner uploads. */
interface UploadFeed extends PagePatterns {
  id: string
  projectId: string
  kind: "upload"
  /** Where they stand, too; else `servedAddress` of upload/uploads.ts. */
  address: string
}

/** Pages that are found by the links from one of them. */
interface CrawlFeed extends PagePatterns, OfPages {
  id: string
  projectId: string
  kind: "crawl"
  /** The page to begin at. */
  address: string
  crawl: CrawlSettings
}

export interface FolderFeed extends PagePatterns, Published {
  id: string
  projectId: string
  kind: "dir"
  address: string
}

/** The files of a repository. */
export interface GitFeed extends PagePatterns, Published, Protected {
  id: string
  projectId: string
  kind: "git"
  /** For `repositoryPlace` of git/repository-url.ts. */
  address: string
}

/** How the files of a folder become pages of a site. */
interface Published {
  /** Where they stand. */
  baseUrl: string
  /** `auto`: as the generator makes them. */
  urlStyle: UrlStyle | "auto"
  /** Recognised by the files of the folder unless it is set. */
  generator?: Generator | undefined
}

/** The result for one page of a feed in one reading. */
export type PageReading =
  | { page: string; outcome: "read"; document: Document; visit?: Visit }
  /** Not documentation, by its own declaration or by our rules. Its last version is removed. */
  | { page: string; outcome: "left_out"; reason: LeftOutReason; detail?: Explanation; visit?: Visit }
  /** The site says that it is as it was at its last visit. */
  | { page: string; outcome: "unchanged" }
  /** The site answered 404 or 410. Its last version is removed. */
  | { page: string; outcome: "gone" }
  /**
   * Could not be read this time. Its last version stays. With `listIncomplete` it is a list of pages, such as
   * one sitemap of several: then no document may be removed for its absence from this reading.
   */
  | { page: string; outcome: "failed"; detail: Explanation; listIncomplete?: true }

/**
 * Reads every page of a feed once, in any order, except the pages that an interrupted reading has read `before`.
 * Throws Refusal when the feed itself cannot be read.
 */
export type FeedReader = (
  feed: Feed,
  signal: AbortSignal,
  before?: ReadBefore,
  visits?: Visits,
) => AsyncIterable<PageReading>

/** Pages that were read before, each with the address of its document if it has one. */
export type ReadBefore = ReadonlyMap<string, string | undefined>

/** A feed that is not stored yet. */
export type FeedSource = Source<Feed>

type Source<Each> = Each extends Feed ? Omit<Each, "id" | "projectId" | "sealedHeaders"> : never

/** Addresses that one feed names, and their characters together: a list of feeds holds them all. */
export const pagesLimits = { pages: 1000, characters: 50_000 }

/** Feeds of one project. The message of `assistant.tooManyFeeds` names the same number. */
export const maxFeeds = 50

/**
 * Adds a feed to a project, or updates the one with the same kind and address. The first one that is read over the
 * network brings daily readings, unless the project has a rhythm already. Throws Refusal `conflict` when
 * the project has `maxFeeds` already, and `invalid_request` with a detail for patterns that are none, and as `seal`
 * does.
 */
export async function saveFeed(
  db: Db,
  projectId: string,
  source: FeedSource,
  nowMs: number,
  seal: SealHeaders = (_, stored) => stored,
): Promise<{ feed: Feed; added: boolean }> {
  const newFeedId = newId("feed", nowMs)
  const patterns = checkedPatterns(source)
  const shape = {
    ...(isOfFiles(source)
      ? { base_url: source.baseUrl, url_style: source.urlStyle, generator: source.generator ?? null }
      : { base_url: null, url_style: null, generator: null }),
    patterns,
    pages: source.kind === "pages" ? JSON.stringify(source.pages) : null,
    documents: toFlag(isOfWeb(source) && source.documents),
    crawl: source.kind === "crawl" ? JSON.stringify(source.crawl) : null,
  }
  const row = await withLock(db, `feeds:${projectId}`, async (transaction) => {
    const feeds = await listFeeds(transaction, projectId)
    const before = feeds.find(({ kind, address }) => kind === source.kind && address === source.address)
    const others = feeds.filter((feed) => feed !== before)
    const id = before?.id ?? newFeedId
    const headers = seal(id, sealedHeadersIn(before))
    requireHttps(source, headers)
    const written = { ...shape, headers }
    requireRoom(others.length, maxFeeds, "assistant.tooManyFeeds")
    const row = await transaction
      .insertInto("feed")
      .values({
        id,
        project_id: projectId,
        kind: source.kind,
        address: source.address,
        ...written,
        created_at: nowMs,
        last_read_at: null,
        generator_found: null,
      })
      .onConflict((conflict) => conflict.columns(["project_id", "kind", "address"]).doUpdateSet(written))
      .returningAll()
      .executeTakeFirstOrThrow()
    const isFirstRemote = !before && isRemote(row) && !others.some(isRemote)
    if (isFirstRemote) await readDaily(transaction, projectId)
    return row
  })
  return { feed: toFeed(row), added: row.id === newFeedId }
}

function toFlag(value: boolean | undefined): 0 | 1 {
  return value ? 1 : 0
}

interface FeedChange {
  seal: SealHeaders
  documents?: boolean | undefined
  crawl?: Partial<CrawlSettings> | undefined
}

/**
 * Changes the headers, whether linked documents are read, and how far links are followed; what is undefined stays.
 * Throws Refusal `not_found`, `invalid_request` for headers of a folder and for links where none are followed, and as
 * `seal` does.
 */
export async function changeFeed(
  db: Db,
  projectId: string,
  id: string,
  { seal, documents, crawl }: FeedChange,
): Promise<void> {
  await withLock(db, `feeds:${projectId}`, async (transaction) => {
    const feed = await requireFeed(transaction, projectId, id)
    const headers = seal(id, sealedHeadersIn(feed))
    requireHttps(feed, headers)
    const linked = documents === undefined ? {} : { documents: toFlag(isOfWeb(feed) && documents) }
    if (crawl && feed.kind !== "crawl") {
      const reason = detail("assistant.notCrawled")
      throw new Refusal("invalid_request", detail("assistant.invalidFeed"), {
        fields: { crawl: reason },
        reason,
      })
    }
    const followed = crawl && "crawl" in feed ? { crawl: JSON.stringify({ ...feed.crawl, ...crawl }) } : {}
    await changeRows(transaction, "feed", { id }, { headers, ...linked, ...followed })
  })
}

/** The names of its own headers. */
export function headersIn(feed: Feed): { name: string }[] {
  return headerNames(sealedHeadersIn(feed))
}

function sealedHeadersIn(feed: Feed | undefined): string | null {
  return feed && "sealedHeaders" in feed ? (feed.sealedHeaders ?? null) : null
}

/** Where the key is lost that their values were sealed with. */
export async function forgetHeaders(db: Db): Promise<void> {
  await db.updateTable("feed").set({ headers: null }).where("headers", "is not", null).execute()
}

function requireFewPages(pages: readonly string[]): void {
  const characters = pages.reduce((sum, { length }) => sum + length, 0)
  if (pages.length > 0 && pages.length <= pagesLimits.pages && characters <= pagesLimits.characters) return
  const { pages: most, characters: mostCharacters } = pagesLimits
  const reason = detail("assistant.feedPages", { pages: most, characters: mostCharacters })
  throw new Refusal("invalid_request", detail("assistant.invalidFeed"), { fields: { pages: reason }, reason })
}

/** The patterns of a feed as they are stored; null without any. Throws Refusal for those, and for too many pages. */
export function checkedPatterns(source: FeedSource): string | null {
  if (source.kind === "pages") requireFewPages(source.pages)
  const { include = [], exclude = [] } = source
  const fields: Record<string, Detail> = {}
  for (const [name, patterns] of Object.entries({ include, exclude })) {
    const problem = patternProblem(patterns)
    if (problem) fields[name] = problem
  }
  const [reason] = Object.values(fields)
  if (reason) throw new Refusal("invalid_request", detail("assistant.invalidFeed"), { fields, reason })
  return include.length + exclude.length > 0 ? JSON.stringify({ include, exclude }) : null
}

/** Whether its pages are read from a site. */
export function isOfWeb<Each extends Pick<Feed, "kind">>(
  feed: Each,
): feed is Exclude<Each, { kind: "dir" } | { kind: "git" } | { kind: "upload" }> {
  return feed.kind !== "upload" && !isOfFiles(feed)
}

/** Whether its pages are made of files, as a generator makes them. */
export function isOfFiles<Each extends Pick<Feed, "kind">>(
  feed: Each,
): feed is Extract<Each, { kind: "dir" } | { kind: "git" }> {
  return feed.kind === "dir" || feed.kind === "git"
}

/** Whether it is read over the network. */
export function isRemote<Each extends Pick<Feed, "kind">>(
  feed: Each,
): feed is Exclude<Each, { kind: "dir" } | { kind: "upload" }> {
  return feed.kind !== "dir" && feed.kind !== "upload"
}

/** A site changes without notice: without a rhythm of its own, it is read every day. */
async function readDaily(transaction: Db, projectId: string): Promise<void> {
  await changeRows(transaction, "project", { id: projectId, every_ms: null }, { every_ms: dayMs })
}

/** `found`: the generator of a folder by whose rules it was read last; null when none was recognised. */
export type ListedFeed = Feed & { lastReadAt: number | null; found: Generator | null }

/** The feeds of a project in the order they were added. */
export async function listFeeds(db: Db, projectId: string): Promise<ListedFeed[]> {
  const rows = await db
    .selectFrom("feed")
    .selectAll()
    .where("project_id", "=", projectId)
    .orderBy("id")
    .execute()
  return rows.map((row) => ({
    ...toFeed(row),
    lastReadAt: row.last_read_at,
    found: row.generator_found as Generator | null,
  }))
}

/** Throws Refusal `not_found`, also for a feed of another project. */
export async function requireFeed(db: Db, projectId: string, id: string): Promise<ListedFeed> {
  const feed = (await listFeeds(db, projectId)).find((each) => each.id === id)
  return required(feed, detail("assistant.feedNotFound", { project: projectId, id }))
}

/** The generators of a project's folders, as their last readings found them. */
export async function generatorsFound(db: Db, projectId: string): Promise<string[]> {
  const feeds = await listFeeds(db, projectId)
  return feeds.flatMap(({ address, found }) => (found ? [`${address}: ${found}`] : []))
}

/**
 * Removes a feed that was never read; any other stays. The live index holds documents of a feed that was
 * read, so `indexProject` removes that one.
 */
export async function removeUnreadFeed(db: Db, id: string): Promise<void> {
  await db.deleteFrom("feed").where("id", "=", id).where("last_read_at", "is", null).execute()
}

/**
 * Removes a feed whose documents the live index no longer holds, with whatever there is of it. One that is cut off
 * leaves a feed to be removed again.
 */
export const removeFeed = write("removeFeed", async (db: Db, id: string): Promise<void> => {
  await deleteBelongings(db, "feed", [id])
  await db.deleteFrom("feed").where("id", "=", id).execute()
})

function toFeed(row: Row<"feed">): Feed {
  const { id, project_id: projectId, kind, address } = row
  const patterns = row.patterns === null ? {} : (JSON.parse(row.patterns) as PagePatterns)
  const own = {
    ...(row.headers !== null && { sealedHeaders: row.headers }),
    ...(row.documents === 1 && { documents: true }),
  }
  if (kind === "pages")
    return {
      id,
      projectId,
      kind,
      address,
      ...patterns,
      ...own,
      pages: JSON.parse(row.pages ?? "[]") as string[],
    }
  if (kind === "upload") return { id, projectId, kind, address, ...patterns }
  if (kind === "crawl") {
    const crawl = { ...usualCrawl, ...(JSON.parse(row.crawl ?? "{}") as Partial<CrawlSettings>) }
    return { id, projectId, kind, address, ...patterns, ...own, crawl }
  }
  if (kind !== "dir" && kind !== "git") return { id, projectId, kind, address, ...patterns, ...own }
  return {
    id,
    projectId,
    kind,
    address,
    ...patterns,
    ...(row.headers !== null && { sealedHeaders: row.headers }),
    baseUrl: row.base_url ?? "",
    urlStyle: row.url_style ?? "clean",
    ...(row.generator && { generator: row.generator as Generator }),
  }
}
