import { isIP } from "node:net"
import { secondMs } from "../../../base/clock.ts"
import { detail, type Explanation, Refusal } from "../../../base/errors.ts"
import { type SendFailure, tlsTrouble } from "../../../outbound/failure.ts"
import type { LeftOut, LeftOutReason } from "../../formats/document.ts"
import type { PageReading } from "../page-reading.ts"
import type { RequestFailure } from "./retrying-client.ts"

/** Why there is nothing to read at an address. */
export type ReadFailure =
  | { outcome: "left_out"; reason: LeftOutReason; detail?: Explanation }
  | { outcome: "gone" }
  /** It is as it was at its last visit. */
  | { outcome: "unchanged" }
  /** `status`: the HTTP status, if the site answered. */
  | { outcome: "failed"; detail: Explanation; status?: number }

export function leftOut({ leftOut: reason, detail }: LeftOut): ReadFailure {
  return { outcome: "left_out", reason, ...(detail && { detail }) }
}

export function foreignHost(url: URL, redirects = 0): ReadFailure {
  const site = /^https?:$/.test(url.protocol) ? url.origin : url.protocol
  const why =
    redirects > 0 ? detail("reading.redirectsElsewhere", { site }) : detail("reading.elsewhere", { site })
  return { outcome: "left_out", reason: "foreign_host", detail: why }
}

export function tooLarge(maxBytes: number): ReadFailure {
  return {
    outcome: "left_out",
    reason: "too_large",
    detail: detail("reading.tooManyBytes", { most: maxBytes }),
  }
}

export function tooManyRedirects(maxRedirects: number): ReadFailure {
  return failed(detail("reading.tooManyRedirects", { most: maxRedirects }))
}

export function statusFailure(status: number): ReadFailure {
  if (status === 404 || status === 410) return { outcome: "gone" }
  return { outcome: "failed", detail: detail("reading.answered", { status }), status }
}

/** The only place that tells what the outcomes of a request mean for the owner of a site. */
export function requestFailure(url: URL, failure: RequestFailure, maxBytes: number): ReadFailure {
  const { hostname, host } = url
  switch (failure.outcome) {
    case "too_large":
      return tooLarge(maxBytes)
    case "no_public_address":
      return isIP(hostname.replace(/^\[(.*)\]$/, "$1")) > 0
        ? failed(detail("reading.privateAddress", { host: hostname }))
        : failed(detail("reading.privateHost", { host: hostname }))
    case "unresolved":
      return failed(detail("reading.unknownHost", { host: hostname }))
    case "host_down":
      return failed(detail("reading.hostSilent", { host }))
    case "retry_later":
      return failed(detail("reading.comeBackLater", { seconds: Math.ceil(failure.waitMs / secondMs) }))
    case "timeout": {
      const seconds = failure.limitMs / secondMs
      return failure.limit === "stall"
        ? failed(detail("reading.stalled", { seconds }))
        : failed(detail("reading.unfinished", { seconds }))
    }
    case "encoding":
      return failed(detail("reading.otherEncoding", { encoding: failure.encoding }))
    case "aborted":
    case "private_address":
      return failed(failure.outcome)
    default:
      return failed(sendCause(failure))
  }
}

/** A code that tells the owner of a site little by itself becomes a detail. */
function sendCause({ cause, code }: SendFailure): Explanation {
  if (cause === "refused") return detail("reading.connectionRefused", { error: code })
  if (cause === "closed") return detail("reading.connectionClosed", { error: code })
  if (cause === "proxy") return detail("reading.proxyFailed", { error: code })
  const why = tlsTrouble(code)
  return why ? detail("reading.badCertificate", { error: why }) : code
}

function failed(why: Explanation): ReadFailure {
  return { outcome: "failed", detail: why }
}

export function asReading(page: string, failure: ReadFailure): PageReading {
  return failure.outcome === "failed"
    ? { page, outcome: "failed", detail: failure.detail }
    : { page, ...failure }
}

/** Thrown when nothing of a feed can be read. */
export function unreadable(feed: string, failure: ReadFailure | Explanation): Refusal {
  const why = typeof failure === "object" && "outcome" in failure ? failureDetail(failure) : failure
  return new Refusal("unavailable", detail("assistant.unreadableFeed"), { reason: withPlace(feed, why) })
}

export function failureDetail(failure: ReadFailure): Explanation {
  if (failure.outcome === "gone") return detail("reading.notFound")
  if (failure.outcome === "unchanged") return failure.outcome
  return failure.outcome === "failed" ? failure.detail : (failure.detail ?? failure.reason)
}

/** `https://docs.example/sitemap.xml: answered 503`. The text of another program stays text. */
export function withPlace(place: string, why: Explanation): Explanation {
  return typeof why === "string" ? `${place}: ${why}` : detail("reading.at", { place, why })
}
