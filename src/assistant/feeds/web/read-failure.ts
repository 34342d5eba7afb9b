import { isIP } from "node:net"
import { secondMs } from "../../../base/clock.ts"
import { detail, Refusal } from "../../../base/errors.ts"
import type { LeftOutReason } from "../../documents/document.ts"
import type { PageReading } from "../feed.ts"
import type { RequestFailure } from "./retrying-client.ts"

/** Why there is nothing to read at an address. */
export type ReadFailure =
  | { outcome: "left_out"; reason: LeftOutReason; detail?: string }
  | { outcome: "gone" }
  /** `status`: the HTTP status, if the site answered. */
  | { outcome: "failed"; detail: string; status?: number }

export function foreignHost(url: URL, redirects = 0): ReadFailure {
  const site = /^https?:$/.test(url.protocol) ? url.origin : url.protocol
  const detail = `${redirects > 0 ? "redirects to " : ""}${site}, which is no address of the project`
  return { outcome: "left_out", reason: "foreign_host", detail }
}

export function tooLarge(maxBytes: number): ReadFailure {
  return {
    outcome: "left_out",
    reason: "too_large",
    detail: `more than ${maxBytes.toLocaleString("en")} bytes`,
  }
}

export function tooManyRedirects(maxRedirects: number): ReadFailure {
  return failed(`more than ${maxRedirects} redirects`)
}

export function statusFailure(status: number): ReadFailure {
  if (status === 404 || status === 410) return { outcome: "gone" }
  return { outcome: "failed", detail: `answered ${status}`, status }
}

/** The only place that words the codes of a request. */
export function requestFailure(url: URL, failure: RequestFailure, maxBytes: number): ReadFailure {
  const { hostname, host } = url
  switch (failure.outcome) {
    case "too_large":
      return tooLarge(maxBytes)
    case "no_public_address": {
      const verb = isIP(hostname.replace(/^\[(.*)\]$/, "$1")) ? "is" : "has"
      return failed(
        `${hostname} ${verb} no public address: GUICHET_FEED_ALLOW_PRIVATE=true reads private networks`,
      )
    }
    case "unresolved":
      return failed(`${hostname} cannot be looked up`)
    case "host_down":
      return failed(`${host} no longer answers`)
    case "retry_later":
      return failed(`asks to come back in ${Math.ceil(failure.waitMs / secondMs)} seconds`)
    case "timeout":
      return failure.limit === "stall"
        ? failed(`nothing received for ${failure.limitMs / secondMs} seconds`)
        : failed(`not complete after ${failure.limitMs / secondMs} seconds`)
    case "encoding":
      return failed(`sent in the encoding ${failure.encoding}, which was not asked for`)
    default:
      return failed(failure.cause)
  }
}

function failed(detail: string): ReadFailure {
  return { outcome: "failed", detail }
}

export function asReading(page: string, failure: ReadFailure): PageReading {
  return failure.outcome === "failed"
    ? { page, outcome: "failed", detail: failure.detail }
    : { page, ...failure }
}

/** Thrown in place of a feed of which nothing can be read. */
export function unreadable(feed: string, failure: ReadFailure | string): Refusal {
  const why = typeof failure === "string" ? failure : detailOf(failure)
  return new Refusal("unavailable", detail("assistant.unreadableFeed"), { reason: `${feed}: ${why}` })
}

export function detailOf(failure: ReadFailure): string {
  if (failure.outcome === "gone") return "not found"
  return failure.outcome === "failed" ? failure.detail : (failure.detail ?? failure.reason)
}
