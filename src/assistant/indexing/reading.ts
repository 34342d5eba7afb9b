import type { Clock } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import type { Feed, FeedReader, PageReading } from "../feeds/feed.ts"
import {
  hashOf,
  type StagedDocument,
  stageDocuments,
  stageRemovals,
  storedHash,
  storedPages,
  unstage,
} from "./stored-document.ts"
import {
  forgetHandled,
  type HandledPage,
  handledPages,
  keepHandled,
  type SkippedPage,
} from "./unfinished-reading.ts"

/** Told when a reading would remove more than half of the documents. */
export const removesTooMuch = "assistant.tooMuchRemoved"

/** What one reading of a feed found, compared with the documents stored before. */
export interface Reading {
  feed: Feed
  /** Documents that are new, or not as they were. */
  changed: number
  unchanged: number
  /** Documents that are no longer there, or no longer documentation. */
  removed: number
  skipped: SkippedPage[]
}

export interface ReadingTools {
  db: Db
  clock: Clock
  readFeed: FeedReader
}

interface ReadingOptions {
  /** The generation being built, which what is read is staged for. */
  generation: number
  /** Lets a reading remove more than half of the documents. */
  force: boolean
  signal: AbortSignal
  /**
   * What was read stays when `signal` is aborted, and the next reading of this generation goes on from there.
   */
  resumable: boolean
  onPage(pages: number): void
}

const batchPages = 100
const batchCharacters = 4_000_000

/**
 * Reads a feed and stages the difference, holding a few documents in memory at a time. What is gone or left
 * out is removed, and so is what a complete list no longer names; a page that failed keeps its last version.
 * Throws Refusal, with nothing staged, when the feed cannot be read or when more than half of its documents
 * would go.
 */
export async function readFeed(tools: ReadingTools, feed: Feed, options: ReadingOptions): Promise<Reading> {
  const { db } = tools
  const { generation } = options
  try {
    const { reading, kept, gone, complete } = await stageChanges(tools, feed, options)
    const stored = await storedPages(db, feed.id, generation)
    const removed = stored.filter((page) => !kept.has(page) && (complete || gone.has(page)))
    if (removed.length > stored.length / 2 && !options.force) throw tooMuchRemoved(removed, stored)
    await stageRemovals(db, feed.id, generation, removed)
    return { ...reading, removed: removed.length }
  } catch (error) {
    if (options.resumable && options.signal.aborted) throw error
    await unstage(db, feed.projectId, generation, feed.id)
    await forgetHandled(db, feed.id)
    throw error
  }
}

/** What is known of a feed's pages while they are being read. */
interface Found {
  reading: Reading
  /** Pages that have a document, or keep the one they had. */
  kept: Set<string>
  /** Pages whose document goes. */
  gone: Set<string>
  /** Paths of the documents. */
  paths: Set<string>
  /** Whether the lists named every page there is. */
  complete: boolean
}

async function stageChanges(
  { db, clock, readFeed }: ReadingTools,
  feed: Feed,
  { generation, signal, resumable, onPage }: ReadingOptions,
): Promise<Found> {
  const found: Found = {
    reading: { feed, changed: 0, unchanged: 0, removed: 0, skipped: [] },
    kept: new Set(),
    gone: new Set(),
    paths: new Set(),
    complete: true,
  }
  const before = new Map<string, string | undefined>()
  for (const handled of resumable ? await handledPages(db, feed.id) : []) {
    before.set(handled.page, "url" in handled ? handled.url : undefined)
    count(found, handled)
  }
  let staged: StagedDocument[] = []
  let handled: HandledPage[] = []
  let characters = 0
  let pages = before.size

  async function flush() {
    await stageDocuments(db, feed, generation, staged, clock.now())
    if (resumable) await keepHandled(db, feed, handled, clock.now())
    staged = []
    handled = []
    characters = 0
  }

  if (pages > 0) onPage(pages)
  try {
    for await (const read of readFeed(feed, signal, before)) {
      signal.throwIfAborted()
      if (before.has(read.page)) continue
      onPage(++pages)
      if (found.kept.has(read.page)) continue
      const hash = read.outcome === "read" ? hashOf(read.document) : ""
      const isStored = hash !== "" && hash === (await storedHash(db, feed.id, read.page, generation))
      const page = handledPage(read, isStored, found.paths)
      count(found, page)
      if (read.outcome === "failed" && read.listIncomplete) {
        // Another try may find the list.
        found.complete = false
        continue
      }
      handled.push(page)
      if (page.outcome === "changed" && read.outcome === "read") {
        staged.push({ page: page.page, document: read.document, hash })
        for (const { markdown } of read.document.sections) characters += markdown.length
      }
      if (handled.length >= batchPages || characters >= batchCharacters) await flush()
    }
  } catch (error) {
    if (resumable && signal.aborted) await flush()
    throw error
  }
  await flush()
  return found
}

/**
 * What a page is to the index, beside the documents of the pages before it. `isStored`: its document is as it
 * was.
 */
function handledPage(read: PageReading, isStored: boolean, paths: ReadonlySet<string>): HandledPage {
  const { page } = read
  if (read.outcome === "failed") return { page, outcome: "failed", reason: "failed", detail: read.detail }
  if (read.outcome === "gone") return { page, outcome: "left_out", reason: "not_found", detail: null }
  if (read.outcome === "left_out")
    return { page, outcome: "left_out", reason: read.reason, detail: read.detail ?? null }
  const { path, url } = read.document
  // Passages are named after the path: of two pages that share one, the first stands.
  if (paths.has(path)) return { page, outcome: "left_out", reason: "duplicate", detail: path }
  return { page, outcome: isStored ? "unchanged" : "changed", path, url }
}

function count({ reading, kept, gone, paths }: Found, handled: HandledPage): void {
  const { page, outcome } = handled
  if (outcome === "left_out") gone.add(page)
  else kept.add(page)
  if ("path" in handled) {
    paths.add(handled.path)
    reading[handled.outcome]++
  } else reading.skipped.push({ page, reason: handled.reason, detail: handled.detail })
}

function tooMuchRemoved(removed: string[], stored: string[]): Refusal {
  return new Refusal("conflict", detail(removesTooMuch), {
    reason: `this reading would remove ${removed.length} of ${stored.length} documents, more than half: nothing was changed; --force does it all the same`,
  })
}
