import { setImmediate as yieldToEventLoop } from "node:timers/promises"
import { LRUCache } from "lru-cache"
import { decodedUri, withoutFragment } from "../../base/text.ts"
import { perDatabase } from "../../db/batch.ts"
import type { Db } from "../../db/connection.ts"
import { liveGeneration } from "../../indexing/generation.ts"
import { documentsIn } from "../../indexing/stored-document.ts"
import type { Section } from "../../reading/formats/document.ts"
import { splitDocument } from "../../reading/passages/split-document.ts"

/** A passage of the live index, as an answer cites it. */
export interface FoundSource {
  title: string
  section: string | null
  url: string
}

/** A page as answers cite it. */
interface CitablePage {
  title: string
  url: string
  /** The first passage of each fragment. */
  byFragment: ReadonlyMap<string, FoundSource>
}

/** Cutting a long page into passages takes milliseconds, and an owner's answers cite the same pages again and again. */
const mostKept = { pages: 2000, fragments: 100_000 }

const pageCache = perDatabase(
  (_: Db) =>
    new LRUCache<string, CitablePage>({
      max: mostKept.pages,
      maxSize: mostKept.fragments,
      sizeCalculation: ({ byFragment }) => 1 + byFragment.size,
    }),
)

/**
 * What stands at these addresses in a generation of the index; undefined for an address of none of its passages. An
 * address without a fragment stands for its page, whose passages may all have one.
 */
export async function findSources(
  db: Db,
  projectId: string,
  generation: number,
  addresses: readonly string[],
): Promise<(FoundSource | undefined)[]> {
  if (addresses.length === 0) return []
  const pages = [...new Set(addresses.flatMap((address) => spellings(withoutFragment(address))))]
  const rows = await documentsIn(db, projectId, generation)
    .select(["id", "url"])
    .where("url", "in", pages)
    .execute()
  const pageByUrl = new Map<string, CitablePage>()
  for (const { id, url } of rows) {
    const page = await citablePage(db, id)
    if (page) pageByUrl.set(url, page)
  }
  return addresses.map((address) => {
    const page = spellings(withoutFragment(address)).flatMap((url) => pageByUrl.get(url) ?? [])[0]
    if (!page) return undefined
    const { title, url, byFragment } = page
    const fragment = decodedFragment(address)
    return fragment === "" ? { title, section: null, url } : byFragment.get(fragment)
  })
}

/** A version of a page never changes. undefined for one without passages. */
async function citablePage(db: Db, id: string): Promise<CitablePage | undefined> {
  const cached = pageCache(db).get(id)
  if (cached) return cached
  const row = await db
    .selectFrom("document")
    .select(["path", "url", "title", "sections"])
    .where("id", "=", id)
    .executeTakeFirst()
  if (!row) return undefined
  await yieldToEventLoop()
  const { title, url } = row
  const passages = splitDocument({ ...row, sections: JSON.parse(row.sections) as Section[] })
  if (passages.length === 0) return undefined
  const byFragment = new Map<string, FoundSource>()
  for (const passage of passages) {
    const starts = passage.sections ?? [{ heading: passage.headings.at(-1) ?? null, url: passage.url }]
    for (const start of starts) {
      const fragment = decodedFragment(start.url)
      if (!byFragment.has(fragment))
        byFragment.set(fragment, { title, section: start.heading, url: start.url })
    }
  }
  const page = { title, url, byFragment }
  pageCache(db).set(id, page)
  return page
}

/** Each of these addresses with what stands there in the live index. */
export async function sourcesAt(db: Db, projectId: string, addresses: readonly string[]) {
  const live = await liveGeneration(db, projectId)
  const sources = live ? await findSources(db, projectId, live.number, addresses) : []
  return addresses.map((address, at) => ({ address, found: sources[at] }))
}

/** Addresses of the pages of the live index, by address. */
export async function listPageAddresses(db: Db, projectId: string, atMost: number) {
  const live = await liveGeneration(db, projectId)
  if (!live) return []
  return documentsIn(db, projectId, live.number)
    .select(["url", "title"])
    .orderBy("url")
    .limit(atMost)
    .execute()
}

/** Decoded: `#réglages` may be written as such or percent-encoded. */
function decodedFragment(address: string): string {
  return decodedUri(address.slice(withoutFragment(address).length + 1))
}

/** People copy addresses with and without the final slash. */
function spellings(page: string): string[] {
  return page.endsWith("/") ? [page, page.slice(0, -1)] : [page, `${page}/`]
}
