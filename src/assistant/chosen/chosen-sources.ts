import type { Db } from "../../db/connection.ts"
import type { Section } from "../documents/document.ts"
import { splitDocument } from "../documents/passages/split-document.ts"
import { liveGeneration } from "../indexing/generation.ts"
import { documentsIn } from "../indexing/stored-document.ts"

/** A passage of the live index, as an answer cites it. */
export interface FoundSource {
  title: string
  section: string | null
  url: string
}

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
  const pages = [...new Set(addresses.flatMap((address) => spellings(pageOf(address))))]
  const rows = await documentsIn(db, projectId, generation)
    .select(["path", "url", "title", "sections"])
    .where("url", "in", pages)
    .execute()
  const found = new Map(
    rows.map(({ path, url, title, sections }) => {
      const document = { path, url, title, sections: JSON.parse(sections) as Section[] }
      return [url, { document, passages: splitDocument(document) }] as const
    }),
  )
  return addresses.map((address) => {
    const page = spellings(pageOf(address)).flatMap((url) => found.get(url) ?? [])[0]
    if (!page || page.passages.length === 0) return undefined
    const { title, url } = page.document
    const fragment = fragmentOf(address)
    if (fragment === "") return { title, section: null, url }
    for (const passage of page.passages) {
      const starts = passage.sections ?? [{ heading: passage.headings.at(-1) ?? null, url: passage.url }]
      const start = starts.find((each) => fragmentOf(each.url) === fragment)
      if (start) return { title, section: start.heading, url: start.url }
    }
    return undefined
  })
}

/** Each of these addresses with what stands there in the live index. */
export async function sourcesOf(
  db: Db,
  projectId: string,
  addresses: readonly string[],
): Promise<{ address: string; found: FoundSource | undefined }[]> {
  const live = await liveGeneration(db, projectId)
  const found = live ? await findSources(db, projectId, live.number, addresses) : []
  return addresses.map((address, at) => ({ address, found: found[at] }))
}

/** Addresses of the pages of the live index, by address. */
export async function listPageAddresses(
  db: Db,
  projectId: string,
  atMost: number,
): Promise<{ url: string; title: string }[]> {
  const live = await liveGeneration(db, projectId)
  if (!live) return []
  return documentsIn(db, projectId, live.number)
    .select(["url", "title"])
    .orderBy("url")
    .limit(atMost)
    .execute()
}

function pageOf(address: string): string {
  return address.split("#")[0] as string
}

/** Decoded: `#réglages` may be written as such or percent-encoded. */
function fragmentOf(address: string): string {
  const fragment = address.slice(pageOf(address).length + 1)
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

/** People copy addresses with and without the final slash. */
function spellings(page: string): string[] {
  return page.endsWith("/") ? [page, page.slice(0, -1)] : [page, `${page}/`]
}
