import type { FeedReader } from "../../feed.ts"
import type { Parser } from "../../parser.ts"
import type { Network } from "../web/network.ts"
import { fetchPage } from "../web/page.ts"
import { readPages } from "../web/read-pages.ts"
import { openSite } from "../web/site.ts"

/** Reads the pages that the feed names. */
export function pagesReader(origins: readonly string[], network: Network, parser: Parser): FeedReader {
  return async function* read(feed, signal, before) {
    const site = openSite(feed, origins, network, parser)
    const named = feed.kind === "pages" ? feed.pages : []
    yield* readPages(named, site, (url, signal) => fetchPage(url, site, signal), signal, before)
  }
}
