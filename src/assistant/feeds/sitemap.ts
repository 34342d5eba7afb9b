import type { FeedReader } from "./feed.ts"
import { readListedPages } from "./listed-pages.ts"
import { type Listing, readLists } from "./lists.ts"
import type { Network } from "./network.ts"
import { fetchPage } from "./page.ts"
import { unpacked } from "./request.ts"
import { openSite, type Site } from "./site.ts"
import { readSitemapFile } from "./sitemap-file.ts"
import { tooLarge, type Unread } from "./unread.ts"

/**
 * Reads the pages that a sitemap lists, and those of the sitemaps it lists in their turn. Only pages under the sitemap's own
 * origin and the given ones are read; what else it lists is left out.
 */
export function sitemapReader(origins: readonly string[], network: Network): FeedReader {
  return async function* read(feed, signal) {
    const site = openSite(feed.address, origins, network)
    const { pages, troubles } = await readLists(site, (url) => readSitemap(url, site, signal))
    yield* troubles
    yield* readListedPages(pages, site, (url, signal) => fetchPage(url, site, signal), signal)
  }
}

const accept = "application/xml,text/xml,text/plain;q=0.9,*/*;q=0.5"

/** Fetched whatever robots.txt says: a sitemap exists for robots, and the project names this one. */
async function readSitemap(
  url: URL,
  { door, limits: { listBytes } }: Site,
  signal: AbortSignal,
): Promise<Listing | Unread> {
  const found = await door.visit(url, { method: "GET", accept, maxBytes: listBytes }, signal)
  if (found.outcome !== "fetched") return found
  const bytes = await plain(found.bytes, listBytes)
  if ("outcome" in bytes) return bytes
  const file = readSitemapFile(bytes)
  if ("wrong" in file) return { outcome: "failed", detail: file.wrong }
  return { pages: file.pages, lists: file.sitemaps }
}

/** A `.gz` file is packed as content, not as a transfer encoding; its first bytes say so, its name may not. */
async function plain(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array | Unread> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return (await unpacked(bytes, maxBytes)) ?? tooLarge(maxBytes)
  } catch (error) {
    return { outcome: "failed", detail: `broken gzip: ${(error as Error).message}` }
  }
}
