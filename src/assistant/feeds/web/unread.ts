import { detail, Refusal } from "../../../base/errors.ts"
import type { LeftOutReason } from "../../documents/document.ts"
import type { PageReading } from "../feed.ts"

/** Why there is nothing to read at an address. */
export type Unread =
  | { outcome: "left_out"; reason: LeftOutReason; detail?: string }
  | { outcome: "gone" }
  /** `status`: what the site answered, if it did. */
  | { outcome: "failed"; detail: string; status?: number }

export function foreign(url: URL, redirects = 0): Unread {
  const site = /^https?:$/.test(url.protocol) ? url.origin : url.protocol
  const detail = `${redirects > 0 ? "redirects to " : ""}${site}, which is no address of the project`
  return { outcome: "left_out", reason: "foreign_host", detail }
}

export function tooLarge(maxBytes: number): Unread {
  return {
    outcome: "left_out",
    reason: "too_large",
    detail: `more than ${maxBytes.toLocaleString("en")} bytes`,
  }
}

export function asReading(page: string, unread: Unread): PageReading {
  return unread.outcome === "failed"
    ? { page, outcome: "failed", detail: unread.detail }
    : { page, ...unread }
}

/** In place of a feed of which nothing can be read. */
export function unreadable(feed: string, unread: Unread | string): Refusal {
  const why = typeof unread === "string" ? unread : detailOf(unread)
  return new Refusal("unavailable", detail("assistant.unreadableFeed"), { reason: `${feed}: ${why}` })
}

export function detailOf(unread: Unread): string {
  if (unread.outcome === "gone") return "not found"
  return unread.outcome === "failed" ? unread.detail : (unread.detail ?? unread.reason)
}
