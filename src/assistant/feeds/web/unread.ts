import { detail, Refusal, type Told } from "../../../base/errors.ts"
import type { LeftOutReason } from "../../documents/document.ts"
import type { PageReading } from "../feed.ts"

/** Why there is nothing to read at an address. */
export type Unread =
  | { outcome: "left_out"; reason: LeftOutReason; detail?: Told }
  | { outcome: "gone" }
  /** `status`: what the site answered, if it did. */
  | { outcome: "failed"; detail: Told; status?: number }

export function foreign(url: URL, redirects = 0): Unread {
  const site = /^https?:$/.test(url.protocol) ? url.origin : url.protocol
  const why =
    redirects > 0 ? detail("reading.redirectsElsewhere", { site }) : detail("reading.elsewhere", { site })
  return { outcome: "left_out", reason: "foreign_host", detail: why }
}

export function tooLarge(maxBytes: number): Unread {
  return {
    outcome: "left_out",
    reason: "too_large",
    detail: detail("reading.tooManyBytes", { most: maxBytes }),
  }
}

export function asReading(page: string, unread: Unread): PageReading {
  return unread.outcome === "failed"
    ? { page, outcome: "failed", detail: unread.detail }
    : { page, ...unread }
}

/** In place of a feed of which nothing can be read. */
export function unreadable(feed: string, unread: Unread | Told): Refusal {
  const why = typeof unread === "object" && "outcome" in unread ? detailOf(unread) : unread
  return new Refusal("unavailable", detail("assistant.unreadableFeed"), { reason: placed(feed, why) })
}

export function detailOf(unread: Unread): Told {
  if (unread.outcome === "gone") return detail("reading.notFound")
  return unread.outcome === "failed" ? unread.detail : (unread.detail ?? unread.reason)
}

/** `https://docs.example/sitemap.xml: answered 503`. Words of another program stay words. */
export function placed(place: string, why: Told): Told {
  return typeof why === "string" ? `${place}: ${why}` : detail("reading.at", { place, why })
}
