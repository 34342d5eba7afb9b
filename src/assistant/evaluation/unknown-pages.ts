import { fold } from "../../base/text.ts"
import type { Db } from "../../db/connection.ts"
import { liveGeneration } from "../indexing/generation.ts"
import { documentsIn } from "../indexing/stored-document.ts"
import { normalisedPath } from "../retrieval/retrieve.ts"

/** Pages of a larger documentation are not compared: each look at the set would read all of their addresses. */
const maxPages = 20_000
const maxNearest = 3
/** Comparing is work on the thread that answers everybody: of so few pages, with no more paths than these. */
const mostCompared = { pages: 3, paths: 2000 }
/** Share of common letter triples, from 0 to 1, below which two paths have nothing to do with each other. */
const leastAlike = 0.3

/**
 * Those of the expected pages that the live index does not have, which no answer can cite; the first few with the
 * paths of the index that are written most like them. Empty while there is no index.
 */
export async function unknownPages(
  db: Db,
  projectId: string,
  expected: readonly (string | null)[],
): Promise<Map<string, string[]>> {
  const wanted = new Set(expected.filter((page) => page !== null))
  const live = wanted.size === 0 ? undefined : await liveGeneration(db, projectId)
  if (!live) return new Map()
  const rows = await documentsIn(db, projectId, live.number)
    .select("url")
    .limit(maxPages + 1)
    .execute()
  if (rows.length === 0 || rows.length > maxPages) return new Map()
  const known = new Set(rows.map(({ url }) => normalisedPath(URL.parse(url)?.pathname ?? "")))
  const unknown = [...wanted].filter((page) => !known.has(page))
  if (unknown.length === 0) return new Map()
  const isCompared = known.size <= mostCompared.paths
  const paths = isCompared ? [...known].map((path) => ({ path, triples: triplesOf(path) })) : []
  return new Map(
    unknown.map((page, place) => [page, place < mostCompared.pages ? nearestOf(page, paths) : []]),
  )
}

function nearestOf(page: string, paths: readonly { path: string; triples: Set<string> }[]): string[] {
  const own = triplesOf(page)
  return paths
    .map(({ path, triples }) => ({ path, likeness: own.intersection(triples).size / own.size }))
    .filter(({ likeness }) => likeness >= leastAlike)
    .toSorted((one, other) => other.likeness - one.likeness || one.path.length - other.path.length)
    .slice(0, maxNearest)
    .map(({ path }) => path)
}

/** Of its letters and digits alone, each part of the path by itself. */
function triplesOf(path: string): Set<string> {
  const words = fold(path)
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
  const triples = words
    .map((word) => ` ${word} `)
    .flatMap((word) => Array.from({ length: word.length - 2 }, (_, at) => word.slice(at, at + 3)))
  return new Set(triples.length > 0 ? triples : [path])
}
