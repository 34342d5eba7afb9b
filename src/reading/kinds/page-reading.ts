import type { Explanation } from "../../base/errors.ts"
import type { Document, LeftOutReason } from "../formats/document.ts"
import type { Visit } from "./crawl/visits.ts"

/** Pages that were read before, each with the address of its document if it has one. */
export type ReadBefore = ReadonlyMap<string, string | undefined>

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
