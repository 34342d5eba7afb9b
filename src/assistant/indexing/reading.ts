import type { Clock } from "../../clock.ts"
import type { Db } from "../../db/connection.ts"
import { Refusal } from "../../errors.ts"
import type { LeftOutReason } from "../documents/document.ts"
import type { Feed, FeedReader } from "../feeds/feed.ts"
import { sentences } from "../sentences.ts"
import {
  hashOf,
  type StagedDocument,
  stageDocuments,
  stageRemovals,
  storedHash,
  storedPages,
  unstage,
} from "./stored-document.ts"

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

/** A page that was left out of the index, or kept as it was because it could not be read, with the reason. */
export interface SkippedPage {
  page: string
  reason: LeftOutReason | "failed"
  detail: string | null
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
  onPage(pages: number): void
}

const batchDocuments = 100
const batchCharacters = 4_000_000

/**
 * Reads a feed and stages the difference, holding a few documents in memory at a time. What is gone or left out is
 * removed, and so is what a complete list no longer names; a page that failed keeps its last version. Throws Refusal,
 * with nothing staged, when the feed cannot be read or when more than half of its documents would go.
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
    await unstage(db, feed.projectId, generation, feed.id)
    throw error
  }
}

async function stageChanges(
  { db, clock, readFeed }: ReadingTools,
  feed: Feed,
  { generation, signal, onPage }: ReadingOptions,
): Promise<{ reading: Reading; kept: Set<string>; gone: Set<string>; complete: boolean }> {
  const reading: Reading = { feed, changed: 0, unchanged: 0, removed: 0, skipped: [] }
  const kept = new Set<string>()
  const gone = new Set<string>()
  const paths = new Set<string>()
  let complete = true
  let batch: StagedDocument[] = []
  let characters = 0
  let pages = 0

  async function flush() {
    await stageDocuments(db, feed, generation, batch, clock.now())
    batch = []
    characters = 0
  }

  for await (const found of readFeed(feed, signal)) {
    signal.throwIfAborted()
    const { page } = found
    onPage(++pages)
    if (kept.has(page)) continue
    if (found.outcome === "failed") {
      kept.add(page)
      if (found.listIncomplete) complete = false
      reading.skipped.push({ page, reason: "failed", detail: found.detail })
    } else if (found.outcome === "gone") {
      gone.add(page)
      reading.skipped.push({ page, reason: "not_found", detail: null })
    } else if (found.outcome === "left_out") {
      gone.add(page)
      reading.skipped.push({ page, reason: found.reason, detail: found.detail ?? null })
    } else if (paths.has(found.document.path)) {
      // Passages are named after the path: of two pages that share one, the first stands.
      gone.add(page)
      reading.skipped.push({ page, reason: "duplicate", detail: found.document.path })
    } else {
      kept.add(page)
      paths.add(found.document.path)
      const hash = hashOf(found.document)
      if (hash === (await storedHash(db, feed.id, page, generation))) {
        reading.unchanged++
        continue
      }
      reading.changed++
      batch.push({ page, document: found.document, hash })
      for (const { markdown } of found.document.sections) characters += markdown.length
      if (batch.length >= batchDocuments || characters >= batchCharacters) await flush()
    }
  }
  await flush()
  return { reading, kept, gone, complete }
}

function tooMuchRemoved(removed: string[], stored: string[]): Refusal {
  return new Refusal("conflict", sentences.tooMuchRemoved, {
    reason: `this reading would remove ${removed.length} of ${stored.length} documents, more than half: nothing was changed; --force does it all the same`,
  })
}
