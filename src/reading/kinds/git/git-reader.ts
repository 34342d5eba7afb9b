import { existsSync } from "node:fs"
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { idsOf } from "../../../base/ids.ts"
import type { Db } from "../../../db/connection.ts"
import type { Feed, FeedReader } from "../../feed.ts"
import type { Parser } from "../../parser.ts"
import { readFolder } from "../folder/dir.ts"
import type { Network } from "../web/network.ts"
import { unreadable } from "../web/read-failure.ts"
import { GitFailure, openRemote } from "./remote.ts"
import { type RepositoryPlace, repositoryPlace } from "./repository-url.ts"

/** Part of the name of every kept commit: another number when other files of it are written. */
const format = 1

/**
 * Reads a repository as the folder that its files make. They are kept in the data folder, so that a commit is
 * fetched once. Throws Refusal when it cannot be read.
 */
export function gitReader(
  network: Network,
  parser: Parser,
  places: { dataDir: string } | undefined,
): FeedReader {
  return async function* (feed, signal, before) {
    if (feed.kind !== "git") throw new Error(`not a repository: ${feed.kind}`)
    if (!places) throw new Error("no repositories are copy here")
    const place = repositoryPlace(feed.address)
    if (!place) throw new Error(`no address of a repository: ${feed.address}`)
    const root = await fetched(join(repositoriesIn(places.dataDir), feed.id), feed, place, signal)
    yield* readFolder(
      { path: join(root, place.folder), feed, parser, nowMs: network.clock.now() },
      signal,
      before,
    )
  }

  /** The folder of the commit that the server shows now. */
  async function fetched(
    own: string,
    feed: Extract<Feed, { kind: "git" }>,
    place: RepositoryPlace,
    signal: AbortSignal,
  ): Promise<string> {
    try {
      const { sealedHeaders } = feed
      const headers = sealedHeaders === undefined ? {} : (network.headersOf?.(feed.id, sealedHeaders) ?? {})
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
      throw unreadable(feed.address, error.why)
    }
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
