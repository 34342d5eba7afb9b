import type { FeedReader } from "./feed.ts"
import { dirReader } from "./folder/dir.ts"
import { llmsReader } from "./lists/llms.ts"
import { sitemapReader } from "./lists/sitemap.ts"
import type { Parser } from "./parser.ts"
import type { Network } from "./web/network.ts"

/** A reader for feeds of every kind of a project with these declared origins. */
export function feedReader(origins: readonly string[], network: Network, parser: Parser): FeedReader {
  const readers = {
    dir: dirReader(parser),
    sitemap: sitemapReader(origins, network, parser),
    llms: llmsReader(origins, network, parser),
  }
  const { giveWay } = network
  return (feed, signal, before) => {
    // Files of a folder wait for nobody.
    const ended = feed.kind === "dir" && giveWay ? AbortSignal.any([signal, giveWay]) : signal
    return readers[feed.kind](feed, ended, before)
  }
}
