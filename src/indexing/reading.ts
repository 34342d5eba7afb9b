import type { Clock } from "../base/clock.ts"
import { detail, Refusal } from "../base/errors.ts"
import type { Db } from "../db/connection.ts"
import { write } from "../db/writes.ts"
import type { RepeatedText } from "../reading/formats/repeated.ts"
import type { Generator } from "../reading/generators/names.ts"
import type { PageReading } from "../reading/kinds/page-reading.ts"
import { type Feed, feedKinds } from "../reading/kinds/table.ts"
import type { FeedReader } from "../reading/reader.ts"
import { type Building, whileBuilding } from "./building.ts"
import { findRepeated } from "./site-repetition.ts"
import {
  changeNotes,
  hashOf,
  notesJson,
  type StagedDocument,
  stageDocuments,
  stageRemovals,
  storedPages,
  storedVersion,
  unstage,
} from "./stored-document.ts"
import {
  forgetHandled,
  type HandledPage,
  handledPages,
  recordHandled,
  type SkippedPage,
} from "./unfinished-reading.ts"
import { forgetVisits, rememberVisits, type VisitedPage, visitsOf } from "./visited-pages.ts"

/** Code of the refusal of a reading that would remove more than half of the documents. */
export const removesTooMuch = "assistant.tooMuchRemoved"

/** The result of one reading of a feed, compared with the documents stored before. */
export interface Reading {
  feed: Feed
  /** The generator by whose rules a folder was read. */
  generator: Generator | undefined
  /** Documents that are new or changed. */
  changed: number
  unchanged: number
  /** Documents whose page is gone, or no longer documentation. */
  removed: number
  skipped: SkippedPage[]
  /** Text that the pages of the feed have in common. */
  repeated: RepeatedText
}

export interface ReadingDeps {
  db: Db
  clock: Clock
  readFeed: FeedReader
}

interface ReadingOptions {
  /** The generation for which documents are staged. */
  building: Building
  /** Allows the removal of more than half of the documents. */
  force: boolean
  signal: AbortSignal
  /** See `IndexingOptions`. */
  giveWay: AbortSignal | undefined
  /** Keeps the staged documents when either is aborted, for the next reading of this generation. */
  resumable: boolean
  onPage(pages: number): void
  /** Hears how many pages there are, where that is known before they are read. */
  onListed(pages: number): void
}

const batchPages = 100
const batchCharacters = 4_000_000

/**
 * Reads a feed and stages the changes, with a few documents in memory at a time. Documents are removed when
 * their page is gone, left out, or absent from a complete list. A page that failed keeps its last version.
 * Throws Refusal, with nothing staged, when the feed cannot be read or when more than half of its documents
 * would be removed.
 */
export async function readFeed(deps: ReadingDeps, feed: Feed, options: ReadingOptions): Promise<Reading> {
  const { db } = deps
  const { building } = options
  try {
    const { reading, kept, gone, complete } = await stageChanges(deps, feed, options)
    const stored = await storedPages(db, feed.id, building.number)
    const removed = stored.filter((page) => !kept.has(page) && (complete || gone.has(page)))
    const isMeant = options.force || feedKinds[feed.kind].losesOnPurpose
    if (removed.length > stored.length / 2 && !isMeant) throw tooMuchRemoved(removed, stored)
    await stageRemovals(db, feed.id, building, removed)
    return { ...reading, removed: removed.length, repeated: await findRepeated(db, feed.id, building.number) }
  } catch (error) {
    if (options.resumable && isEnded(options)) throw error
    await unstageFeed(db, building, feed)
    throw error
  }
}

/** The state of a feed's pages while they are being read. */
interface ReadPages {
  reading: Omit<Reading, "repeated">
  /** Pages with a document, new or as it was. */
  kept: Set<string>
  /** Pages whose document is removed. */
  gone: Set<string>
  /** Paths of the documents. */
  paths: Set<string>
  /** Whether all lists of pages could be read. */
  complete: boolean
}

async function stageChanges({ db, clock, readFeed }: ReadingDeps, feed: Feed, options: ReadingOptions) {
  const { building, signal, resumable, onPage, onListed } = options
  const found: ReadPages = {
    reading: {
      feed,
      generator: await feedKinds[feed.kind].generatorOf?.(feed),
      changed: 0,
      unchanged: 0,
      removed: 0,
      skipped: [],
    },
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
  let staged: ReadBatch["staged"] = []
  let noted: ReadBatch["noted"] = []
  let handled: HandledPage[] = []
  let visited: ReadBatch["visited"] = []
  let characters = 0
  let pages = before.size

  async function flush() {
    if (handled.length === 0) return
    const batch = { staged, noted, visited, handled: resumable ? handled : undefined }
    await storePages(db, building, feed, batch, clock.now())
    staged = []
    noted = []
    handled = []
    visited = []
    characters = 0
  }

  const { remembersVisits } = feedKinds[feed.kind]
  const visits = remembersVisits ? await visitsOf(db, feed.id, building.number, clock.now()) : undefined
  if (pages > 0) onPage(pages)
  try {
    for await (const read of readFeed(feed, signal, before, visits, onListed)) {
      // A page that was read is kept although the turn is over. A failure may be the end's own doing.
      if (read.outcome !== "read") signal.throwIfAborted()
      if (before.has(read.page)) continue
      onPage(++pages)
      if (found.kept.has(read.page)) continue
      const hash = read.outcome === "read" ? hashOf(read.document) : ""
      const isAsked = hash !== "" || read.outcome === "unchanged"
      const stored = isAsked ? await storedVersion(db, feed.id, read.page, building.number) : undefined
      const isStored = stored !== undefined && stored.hash === hash
      const page = handledPage(read, isStored, found.paths, stored)
      count(found, page)
      if (read.outcome === "failed" && read.listIncomplete) {
        // Not recorded as tried, so that a resumed reading tries the list again.
        found.complete = false
        continue
      }
      handled.push(page)
      if ("visit" in read && read.visit) {
        const isChanged = page.outcome === "changed"
        // A page whose document is not kept is read whole next time.
        const kept = "path" in page ? hash : ""
        visited.push({ page: read.page, hash: kept, visit: read.visit, isChanged })
        for (const link of read.visit.links) characters += link.length
      }
      if (page.outcome === "unchanged" && read.outcome === "read" && isStored) {
        const html = notesJson(read.document)
        if (html !== stored.html) noted.push({ page: page.page, html })
      }
      if (page.outcome === "changed" && read.outcome === "read") {
        staged.push({ page: page.page, document: read.document, hash })
        for (const { markdown } of read.document.sections) characters += markdown.length
      }
      if (handled.length >= batchPages || characters >= batchCharacters) await flush()
      signal.throwIfAborted()
    }
  } catch (error) {
    if (resumable && isEnded(options)) await flush()
    throw error
  }
  await flush()
  if (remembersVisits) await forgetVisits(db, feed.id, clock.now())
  return found
}

/** The outcome of some pages that were read. */
interface ReadBatch {
  staged: StagedDocument[]
  /** Pages whose text is unchanged, with the notes on their HTML. */
  noted: { page: string; html: string | null }[]
  visited: VisitedPage[]
  /** The pages to record as tried; undefined in a reading that cannot be resumed. */
  handled: HandledPage[] | undefined
}

/** Stores all of it for the generation that is being built, in one transaction. */
export const storePages = write(
  "storePages",
  (db: Db, building: Building, feed: Feed, batch: ReadBatch, nowMs: number): Promise<void> =>
    whileBuilding(db, building, async (transaction) => {
      await stageDocuments(transaction, feed, building.number, batch.staged, nowMs)
      await changeNotes(transaction, feed.id, building.number, batch.noted)
      await rememberVisits(transaction, feed.id, batch.visited, nowMs)
      if (batch.handled) await recordHandled(transaction, feed, batch.handled, nowMs)
    }),
)

/** Undoes what was stored of a feed's reading. */
export const unstageFeed = write("unstageFeed", async (db: Db, building: Building, feed: Feed) => {
  await whileBuilding(db, building, (transaction) =>
    unstage(transaction, feed.projectId, building.number, feed.id),
  )
  await forgetHandled(db, feed.id)
})

function isEnded({ signal, giveWay }: Pick<ReadingOptions, "signal" | "giveWay">): boolean {
  return signal.aborted || giveWay?.aborted === true
}

/** Decides what a page is to the index. `isStored`: its document is unchanged. `paths`: those in use. */
function handledPage(
  read: PageReading,
  isStored: boolean,
  paths: ReadonlySet<string>,
  stored: { path: string; url: string } | undefined,
): HandledPage {
  const { page } = read
  if (read.outcome === "unchanged" && !stored)
    return { page, outcome: "failed", reason: "failed", detail: null }
  if (read.outcome === "failed") return { page, outcome: "failed", reason: "failed", detail: read.detail }
  if (read.outcome === "gone") return { page, outcome: "left_out", reason: "not_found", detail: null }
  if (read.outcome === "left_out")
    return { page, outcome: "left_out", reason: read.reason, detail: read.detail ?? null }
  const { path, url } = read.outcome === "read" ? read.document : (stored as { path: string; url: string })
  // Passages are named after the path, so the first of two pages with one path is kept.
  if (paths.has(path)) return { page, outcome: "left_out", reason: "duplicate", detail: path }
  return { page, outcome: isStored || read.outcome === "unchanged" ? "unchanged" : "changed", path, url }
}

function count({ reading, kept, gone, paths }: ReadPages, handled: HandledPage): void {
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
    reason: detail("reading.tooMuchRemoved", { removed: removed.length, stored: stored.length }),
  })
}
