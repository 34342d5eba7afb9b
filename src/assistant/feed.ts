import type { Document, LeftOutReason } from "./document.ts"

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
   * Could not be read this time: its last version stays. With `listIncomplete` it is a list of pages that could not be read,
   * such as one sitemap of several: then no document may be removed for being absent from this reading.
   */
  | { page: string; outcome: "failed"; detail: string; listIncomplete?: true }

/** Reads every page of a feed, once, in no order that matters. Throws Refusal when the feed itself cannot be read. */
export type FeedReader = (feed: Feed, signal: AbortSignal) => AsyncIterable<PageReading>
