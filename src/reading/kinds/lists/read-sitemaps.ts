import { detail } from "../../../base/errors.ts"
import { gunzipAtMost } from "../../../outbound/body.ts"
import type { PageReading, ReadBefore } from "../page-reading.ts"
import { collectLists, type PageList } from "../web/collect-lists.ts"
import { fetchPage } from "../web/page.ts"
import { type ReadFailure, tooLarge } from "../web/read-failure.ts"
import { readPages } from "../web/read-pages.ts"
import type { Site } from "../web/site.ts"

/** Reads the pages that lists name, and the lists that these name in their turn. */
export async function* readListed(
  lists: readonly URL[],
  readOne: (url: URL) => Promise<PageList | ReadFailure>,
  site: Site,
  signal: AbortSignal,
  before: ReadBefore | undefined,
): AsyncGenerator<PageReading> {
  const { pages, problems } = await collectLists(site, lists, readOne)
  yield* problems
  const fetch = (url: URL, signal: AbortSignal) => fetchPage(url, site, signal)
  yield* readPages(pages, site, fetch, signal, before)
}

const accept = "application/xml,text/xml,text/plain;q=0.9,*/*;q=0.5"

/** Ignores robots.txt: a sitemap exists for robots, and the project names this one. */
export async function readSitemap(
  url: URL,
  { fetcher, parser, limits: { listBytes } }: Site,
  signal: AbortSignal,
): Promise<PageList | ReadFailure> {
  const opened = await fetcher.request(url, { method: "GET", accept, maxBytes: listBytes }, signal)
  if (opened.outcome !== "fetched") return opened
  const bytes = await unzipped(opened.bytes, listBytes)
  if ("outcome" in bytes) return bytes
  const file = await parser.sitemap(bytes)
  if ("wrong" in file) return { outcome: "failed", detail: file.wrong }
  const { of, addresses, tooLong } = file
  return { pages: of === "pages" ? addresses : [], lists: of === "sitemaps" ? addresses : [], tooLong }
}

/** Unpacks a `.gz` sitemap, which is recognised by its first bytes, not by its name. */
async function unzipped(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array | ReadFailure> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return (await gunzipAtMost(bytes, maxBytes)) ?? tooLarge(maxBytes)
  } catch (error) {
    const { message } = error as Error
    return { outcome: "failed", detail: detail("reading.brokenGzip", { error: message }) }
  }
}
