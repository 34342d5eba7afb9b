import { LRUCache } from "lru-cache"
import { normalisedPath } from "../../answering/retrieval/retrieve.ts"
import { fold } from "../../base/text.ts"
import { perDatabase } from "../../db/batch.ts"
import type { Db } from "../../db/connection.ts"
import { liveGeneration } from "../../indexing/generation.ts"
import { documentsIn } from "../../indexing/stored-document.ts"

/** Pages of a larger documentation are not compared. */
const maxPages = 20_000
const readAtOnce = 1000
/** Generations whose paths are kept. */
const maxKept = 10
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
  const paths = await generationPaths(db, projectId, live.number)
  if (paths === undefined || paths.size === 0) return new Map()
  const unknown = [...wanted].filter((page) => !paths.has(page))
  if (unknown.length === 0) return new Map()
  const isCompared = paths.size <= mostCompared.paths
  const compared = isCompared ? [...paths].map((path) => ({ path, triples: letterTriples(path) })) : []
  return new Map(
    unknown.map((page, place) => [page, place < mostCompared.pages ? nearestPaths(page, compared) : []]),
  )
}

/** Paths of the generations that were looked at last: a generation never changes. */
const pathsOfGenerations = perDatabase(
  (_: Db) => new LRUCache<string, { paths: ReadonlySet<string> | undefined }>({ max: maxKept }),
)

/** The paths of a generation; undefined where there are too many. */
async function generationPaths(db: Db, projectId: string, generation: number) {
  const cache = pathsOfGenerations(db)
  const key = `${projectId} ${generation}`
  const entry = cache.get(key) ?? { paths: await readPaths(db, projectId, generation) }
  cache.set(key, entry)
  return entry.paths
}

async function readPaths(db: Db, projectId: string, generation: number) {
  const paths = new Set<string>()
  let read = 0
  for (let after: string | undefined = ""; after !== undefined; ) {
    const rows = await documentsIn(db, projectId, generation)
      .select(["id", "url"])
      .where("id", ">", after)
      .orderBy("id")
      .limit(readAtOnce)
      .execute()
    for (const { url } of rows) paths.add(normalisedPath(URL.parse(url)?.pathname ?? ""))
    read += rows.length
    if (read > maxPages) return undefined
    after = rows.length === readAtOnce ? rows.at(-1)?.id : undefined
  }
  return paths
}

function nearestPaths(page: string, paths: readonly { path: string; triples: Set<string> }[]): string[] {
  const own = letterTriples(page)
  return paths
    .map(({ path, triples }) => ({ path, likeness: own.intersection(triples).size / own.size }))
    .filter(({ likeness }) => likeness >= leastAlike)
    .toSorted((one, other) => other.likeness - one.likeness || one.path.length - other.path.length)
    .slice(0, maxNearest)
    .map(({ path }) => path)
}

/** Runs of three letters or digits within one part of the path. */
function letterTriples(path: string): Set<string> {
  const words = fold(path)
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
  const triples = words
    .map((word) => ` ${word} `)
    .flatMap((word) => Array.from({ length: word.length - 2 }, (_, at) => word.slice(at, at + 3)))
  return new Set(triples.length > 0 ? triples : [path])
}
