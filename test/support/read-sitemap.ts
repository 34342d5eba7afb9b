import { expect } from "bun:test"
import type { Refusal } from "../../src/base/errors.ts"
import type { PagePatterns } from "../../src/reading/page-patterns.ts"
import { localParser } from "../../src/reading/parser.ts"
import { feedReader } from "../../src/reading/reader.ts"
import { readAll, reasonOf } from "./feed.ts"
import { type Answer, startSite, testNetwork } from "./site.ts"

type Pages = (origin: string) => Record<string, Answer>

/** Reads the sitemap of a site of its own, with robots.txt missing unless given. */
export async function readSitemap(
  pages: Pages,
  network = testNetwork(),
  origins: string[] = [],
  patterns: PagePatterns & { documents?: boolean } = {},
) {
  await using site = startSite((url) => pages(url.origin)[url.pathname])
  const found = await readAll(
    feedReader(origins, network, localParser),
    "sitemap",
    `${site.url}/sitemap.xml`,
    undefined,
    patterns,
  )
  return { ...found, log: site.log, origin: site.url }
}

export async function refusedSitemap(
  pages: Pages,
  network = testNetwork(),
  patterns: PagePatterns = {},
): Promise<string> {
  const error = await readSitemap(pages, network, [], patterns).catch((error: Refusal) => error)
  expect(error).toHaveProperty("name", "Refusal")
  return reasonOf(error).replace(/^http:\/\/127\.0\.0\.1:\d+/, "")
}
