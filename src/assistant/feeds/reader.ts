import { readDir } from "./dir.ts"
import type { FeedReader } from "./feed.ts"
import { llmsReader } from "./llms.ts"
import type { Network } from "./network.ts"
import { sitemapReader } from "./sitemap.ts"

/** Reads feeds of any kind for a project with these declared origins. */
export function feedReader(origins: readonly string[], network: Network): FeedReader {
  const readers = {
    dir: readDir,
    sitemap: sitemapReader(origins, network),
    llms: llmsReader(origins, network),
  }
  return (feed, signal) => readers[feed.kind](feed, signal)
}
