import { existsSync } from "node:fs"
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Type } from "@sinclair/typebox"
import { detail } from "../../base/errors.ts"
import { idsOf } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { told } from "../../http/record/rule.ts"
import { httpAddress } from "../../http/record/schemas.ts"
import { withoutFinalSlashes } from "../generators/kit/address.ts"
import { readFolder } from "./folder/read-folder.ts"
import { GitFailure, openRemote } from "./git/remote.ts"
import { type RepositoryPlace, repositoryPlace } from "./git/repository-url.ts"
import { type FeedBase, feedKind, invalidFeed, patterns, published, type ReadingTools } from "./kind.ts"
import { unreadable } from "./web/read-failure.ts"

/**
 * A repository, read as the folder that its files make. They are kept in the data folder, so that a commit is fetched
 * once. The address is one for `repositoryPlace`.
 */
export const git = feedKind({
  settings: Type.Object({ ...patterns, ...published }),
  input: { ...patterns, base_url: Type.Optional(told(httpAddress(), "assistant.feedBaseUrl")) },
  change: {},
  secret: "token",
  described({ address, base_url }, { site, isDeclared }) {
    const baseUrl = base_url ?? site
    if (!repositoryPlace(address)) throw invalidFeed({ address: detail("assistant.gitAddress") })
    if (!isDeclared(baseUrl)) throw invalidFeed({ base_url: detail("assistant.feedElsewhere") })
    return { baseUrl: withoutFinalSlashes(baseUrl), urlStyle: "auto" as const }
  },
  async *read(feed, tools, { signal, before }) {
    const { places, parser, network } = tools
    if (!places) throw new Error("no repositories are stored here")
    const place = repositoryPlace(feed.address)
    if (!place) throw new Error(`no address of a repository: ${feed.address}`)
    const root = await fetchCommit(join(repositoriesIn(places.dataDir), feed.id), feed, place, tools, signal)
    const path = join(root, place.folder)
    yield* readFolder({ path, feed, parser, nowMs: network.clock.now() }, signal, before)
  },
})

/** Part of the name of every stored commit: another number when other files of it are written. */
const format = 1

/** The folder of the commit that the server shows now. */
async function fetchCommit(
  own: string,
  { id, address, sealedHeaders }: FeedBase,
  place: RepositoryPlace,
  { network, parser }: ReadingTools,
  signal: AbortSignal,
): Promise<string> {
  try {
    const headers = sealedHeaders === undefined ? {} : (network.headersOf?.(id, sealedHeaders) ?? {})
    const remote = await openRemote(place, headers, network, signal)
    const { hash, tip } = remote
    const { folder } = place
    const name = `${tip}-${format}`
    const copy = join(own, name)
    if (existsSync(copy)) return copy
    // Left by an earlier reading, finished or not: no other one of this feed goes on.
    await rm(own, { recursive: true, force: true })
    const into = join(own, "coming")
    await mkdir(into, { recursive: true, mode: 0o700 })
    const { wrong } = await parser.repository(await remote.reply(), { hash, tip, folder, into })
    signal.throwIfAborted()
    if (wrong) throw new GitFailure(wrong)
    // Settings of a generator are not looked for above it.
    await writeFile(join(into, ".git"), "")
    await rename(into, copy)
    return copy
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    await rm(join(own, "coming"), { recursive: true, force: true })
    throw unreadable(address, error.why)
  }
}

function repositoriesIn(dataDir: string): string {
  return join(dataDir, "repositories")
}

/** Removes the files of repositories that are no feeds any more, beside the event loop: there may be any number. */
export async function removeUnusedRepositories(db: Db, dataDir: string): Promise<void> {
  const repositories = repositoriesIn(dataDir)
  // Before the feeds are asked for: a new one's folder may appear at any time.
  const folders = existsSync(repositories) ? await readdir(repositories) : []
  if (folders.length === 0) return
  const rows = await db.selectFrom("feed").select("id").where("kind", "=", "git").execute()
  const used = new Set(idsOf(rows))
  for (const id of folders)
    if (!used.has(id)) await rm(join(repositories, id), { recursive: true, force: true })
}
