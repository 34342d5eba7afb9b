import { Refusal } from "../../src/base/errors.ts"
import type { PageReading, ReadBefore } from "../../src/reading/kinds/page-reading.ts"
import { type Feed, type FolderFeed, feedKinds } from "../../src/reading/kinds/table.ts"
import type { PagePatterns } from "../../src/reading/page-patterns.ts"
import { localParser } from "../../src/reading/parser.ts"
import type { FeedReader } from "../../src/reading/reader.ts"
import { inEnglish } from "../../src/wording/english.ts"
import { testNetwork } from "./site.ts"

/** What one reading of a feed says, by page path: `read`, or why not. */
export interface ReadFeed {
  readings: PageReading[]
  /**
   * Outcome of the page whose address ends so: `read`, `gone`, `left_out: robots`, `failed: answered 500`.
   */
  of(page: string): string
  documents: Extract<PageReading, { outcome: "read" }>["document"][]
}

export async function readAll(
  reader: FeedReader,
  kind: "site" | "sitemap" | "llms",
  address: string,
  signal = new AbortController().signal,
  patterns: PagePatterns & { documents?: boolean } = {},
): Promise<ReadFeed> {
  const feed: Feed = { id: "feed_test", projectId: "projet00", kind, address, ...patterns }
  const readings: PageReading[] = []
  for await (const reading of reader(feed, signal)) readings.push(reading)
  return {
    readings,
    of(page) {
      const found = readings.filter((reading) => reading.page.endsWith(page))
      return found.map(described).join(" and ") || "not mentioned"
    },
    documents: readings.flatMap((reading) => (reading.outcome === "read" ? reading.document : [])),
  }
}

/** The message of an error, as the command line words it. */
export function reasonOf(error: unknown): string {
  return error instanceof Refusal ? inEnglish(error.reason) : (error as Error).message
}

function described(reading: PageReading): string {
  if (reading.outcome === "left_out") return `left_out: ${reading.reason}`
  if (reading.outcome === "failed")
    return `failed: ${inEnglish(reading.detail)}${reading.listIncomplete ? " (list incomplete)" : ""}`
  return reading.outcome
}

/** Reads a folder by itself, as no page of it need be read. */
export function folderReadings(
  feed: FolderFeed,
  {
    nowMs = Date.now(),
    signal = new AbortController().signal,
    before,
  }: { nowMs?: number; signal?: AbortSignal; before?: ReadBefore } = {},
): Promise<PageReading[]> {
  const network = { ...testNetwork(), clock: { now: () => nowMs } }
  const tools = { origins: [], network, parser: localParser }
  return Array.fromAsync(feedKinds.dir.read(feed, tools, { signal, before }))
}
