import packageFile from "../../../../package.json" with { type: "json" }
import { sleep } from "../../../base/async.ts"
import { type Clock, secondMs } from "../../../base/clock.ts"
import type { OutboundProxy } from "../../../outbound/proxy.ts"
import { isLocalUrl } from "../../../outbound/public-address.ts"
import { type Family, isPublicSite, type MayConnectTo, systemAddresses } from "../../../outbound/resolve.ts"

/** Everything that reading a site needs from outside, in one place so that a test can replace it. */
export interface Network {
  userAgent: string
  clock: Clock
  /** Rejects with the signal's reason when it is aborted meanwhile. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Every address of a name in one family, in the order to try them. Rejects when it has no address. */
  resolve(hostname: string, family: Family): Promise<string[]>
  mayConnectTo: MayConnectTo
  /** Aborted once no further page may be asked for; those on the wire are still read. */
  giveWay?: AbortSignal | undefined
  /** PEM of the authorities to trust. Undefined: those built in. */
  ca?: string | undefined
  /** The way to public addresses, if there is no direct one. */
  proxy?: OutboundProxy | undefined
  /** A feed's own headers, unsealed. Undefined where no feed has any. */
  headersOf?(feedId: string, sealed: string): Readonly<Record<string, string>>
  limits: Limits
}

/** How much a site may cost us, and we a site. */
export interface Limits {
  /** Largest page in bytes, as sent and as unpacked. */
  pageBytes: number
  /** Largest list of pages in bytes, as sent and as unpacked: sitemaps.org allows as much for a sitemap. */
  listBytes: number
  wholeTimeoutMs: number
  /** Without a single byte. */
  stallTimeoutMs: number
  redirects: number
  retries: number
  /** Before the first retry; four times as long before the next. */
  backOffMs: number
  /** A site that asks to come back later than this has failed for this time. */
  longestRetryAfterMs: number
  /** Between the beginnings of two requests to one host. */
  intervalMs: number
  /** A longer `Crawl-delay` is cut to this. */
  longestCrawlDelayMs: number
  pagesAtOnce: number
  /** Requests in a row without an answer, after which a host counts as down for the rest of the reading. */
  failuresUntilDown: number
  pages: number
  /** Most characters in the addresses of all pages of one feed together. */
  addressCharacters: number
  /** Sitemaps, or llms.txt files, of one feed. */
  lists: number
  listDepth: number
}

export const limits: Limits = {
  pageBytes: 5 * 1024 * 1024,
  listBytes: 50 * 1024 * 1024,
  wholeTimeoutMs: 30 * secondMs,
  stallTimeoutMs: 10 * secondMs,
  redirects: 5,
  retries: 2,
  backOffMs: secondMs,
  longestRetryAfterMs: 60 * secondMs,
  intervalMs: 200,
  longestCrawlDelayMs: 10 * secondMs,
  pagesAtOnce: 4,
  failuresUntilDown: 10,
  pages: 100_000,
  addressCharacters: 30_000_000,
  lists: 2_000,
  listDepth: 4,
}

/** The name by which robots.txt and robots tags may speak to this program. */
export const robotName = "guichet"

/**
 * Where to ask about this program: at the service, or at the site it reads for while the service's address is not
 * public.
 */
export function contactUrlOf(publicUrl: string, site: string): string {
  return isLocalUrl(publicUrl) ? site : publicUrl
}

/** The real network. `contactUrl` tells the owners of sites whose program reads them. */
export function openNetwork(options: {
  clock: Clock
  allowPrivate: boolean
  contactUrl: string
  ca?: string | undefined
  proxy?: OutboundProxy | undefined
  giveWay?: AbortSignal | undefined
  headersOf?: Network["headersOf"]
}): Network {
  return {
    userAgent: `Guichet/${packageFile.version} (+${options.contactUrl})`,
    clock: options.clock,
    sleep,
    resolve: systemAddresses,
    mayConnectTo: options.allowPrivate ? () => true : isPublicSite,
    giveWay: options.giveWay,
    ca: options.ca,
    proxy: options.proxy,
    ...(options.headersOf && { headersOf: options.headersOf }),
    limits,
  }
}
