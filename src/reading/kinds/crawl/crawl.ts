import { detail } from "../../../base/errors.ts"
import type { FeedReader } from "../../feed.ts"
import type { Parser } from "../../parser.ts"
import type { Network } from "../web/network.ts"
import { fetchPage } from "../web/page.ts"
import { pageUrl } from "../web/page-path.ts"
import { unreadable } from "../web/read-failure.ts"
import { readPages } from "../web/read-pages.ts"
import { openSite } from "../web/site.ts"
import { openFrontier } from "./frontier.ts"
import { usualCrawl } from "./visits.ts"

/**
 * Reads the pages that links lead to from the feed's address on, under the feed's origin and the given ones. Throws
 * Refusal when the first page cannot be read.
 */
export function crawlReader(origins: readonly string[], network: Network, parser: Parser): FeedReader {
  return async function* read(feed, signal, before, visits) {
    const site = openSite(feed, origins, network, parser)
    const settings = feed.kind === "crawl" ? feed.crawl : usualCrawl
    const start = pageUrl(feed.address)?.href
    const frontier = openFrontier(site.start, settings, site.fetcher, visits)
    const crawled = { ...site, frontier }
    const fetch = (url: URL, signal: AbortSignal) => fetchPage(url, crawled, signal)
    const readings = readPages([feed.address], crawled, fetch, signal, before)
    for await (const reading of readings) {
      const isStart = reading.page === start
      if (isStart && reading.outcome === "failed") throw unreadable(feed.address, reading.detail)
      if (isStart && reading.outcome === "gone") throw unreadable(feed.address, detail("reading.notFound"))
      yield reading
    }
  }
}
