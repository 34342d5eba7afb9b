import { Database } from "bun:sqlite"
import { existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { databasePath } from "../../src/db/sqlite/connection.ts"
import { openAuthority } from "../support/authority.ts"
import { mountDisk } from "../support/disk.ts"
import { type Receiver, settingsFor, startReceiver } from "../support/receiver.ts"
import { startServe } from "../support/serve.ts"
import { temporaryFolder } from "../support/service.ts"
import { atMost, exactly, type Verdict } from "../support/verdict.ts"
import { neverMs, type Reply, type ServedSite, startServedSite, until } from "./served-site.ts"

/** A read-only disk under a running service: one that comes back by itself, and one that does not. */
export async function turnsReadOnly(): Promise<Verdict[]> {
  return [...(await forAWhile()), ...(await forGood())]
}

/**
 * The kernel takes no more writes to the database, and after a while takes them again. A file system with
 * open files cannot be remounted read-only, so its files are made immutable: SQLite is told of either as an
 * I/O error.
 */
async function forAWhile(): Promise<Verdict[]> {
  const name = "disk read-only for a while"
  using folder = temporaryFolder()
  const dataDir = join(folder.path, "data")
  using authority = openAuthority()
  // Slow enough that the first attempts are under way when nothing can be written down any more.
  await using receiver = await startReceiver(authority, "hooks.acme.fr", async () => {
    await Bun.sleep(300)
    return new Response("")
  })
  await using site = await startServedSite(dataDir, settingsFor(authority, receiver))
  const before = await posted(site, 20)
  const files = ["", "-wal"].map((end) => databasePath(dataDir) + end)
  if (!immutable("+i", files)) return [skipped(name, "may not make files immutable")]
  const during = await tried(site).finally(() => immutable("-i", files))
  const recoveredMs = await until(() => site.get("/readyz"), 200)
  const after = await posted(site, 20)
  const answered = (await site.ask()).status
  const acknowledged = count([...before, ...during.posts, ...after], 201)
  const deliveredMs = await delivered(receiver, acknowledged)
  return [
    ...judgedDuring(name, before, during),
    exactly(`${name}: status of /healthz meanwhile`, 200, during.alive),
    atMost(`${name}: back afterwards, without a restart`, 5000, recoveredMs, " ms"),
    exactly(`${name}: posts acknowledged afterwards`, 20, count(after, 201)),
    exactly(`${name}: status of a question afterwards`, 200, answered),
    atMost(`${name}: until every response is delivered`, 20_000, deliveredMs, " ms"),
    ...judgedStored(name, dataDir, acknowledged),
  ]
}

/**
 * The file system finds itself damaged and takes no more writes until it is mended: real ext4, with an error
 * of its own making.
 */
async function forGood(): Promise<Verdict[]> {
  const name = "disk read-only for good"
  using folder = temporaryFolder()
  using disk = mountDisk(folder.path, 64)
  if (!disk) return [skipped(name, "may not mount a disk")]
  const dataDir = join(disk.path, "data")
  mkdirSync(dataDir, { mode: 0o700 })
  const stopped: number[] = []
  const acknowledged: Reply[] = []
  const verdicts: Verdict[] = []
  {
    await using site = await startServedSite(dataDir)
    const before = await posted(site, 20)
    disk.fail()
    const during = await tried(site)
    verdicts.push(...judgedDuring(name, before, during))
    acknowledged.push(...before, ...during.posts)
    site.service.stop()
    stopped.push(await site.service.exited)
  }
  disk.mend()
  await using again = await startServe({ GUICHET_DATA_DIR: dataDir })
  const ready = (await fetch(`${again.url}/readyz`)).status
  return [
    ...verdicts,
    exactly(`${name}: exit code of a stop meanwhile`, 0, stopped[0] ?? -1),
    exactly(`${name}: status of /readyz once it is mended`, 200, ready),
    ...judgedStored(name, dataDir, count(acknowledged, 201)),
  ]
}

interface Tried {
  posts: Reply[]
  asks: Reply[]
  ready: number
  alive: number
}

async function tried(site: ServedSite): Promise<Tried> {
  const posts = await posted(site, 50)
  const asks = await Promise.all(Array.from({ length: 5 }, () => site.ask()))
  const ready = (await site.get("/readyz")).status
  const alive = (await site.get("/healthz")).status
  return { posts, asks, ready, alive }
}

function judgedDuring(name: string, before: Reply[], { posts, asks, ready }: Tried): Verdict[] {
  return [
    exactly(`${name}: posts acknowledged before`, 20, count(before, 201)),
    exactly(`${name}: posts refused with 503, of 50`, 50, count(posts, 503)),
    exactly(`${name}: questions refused with 503, of 5`, 5, count(asks, 503)),
    atMost(`${name}: longest refusal`, 2000, Math.max(...[...posts, ...asks].map(({ ms }) => ms)), " ms"),
    exactly(`${name}: status of /readyz meanwhile`, 503, ready),
  ]
}

function judgedStored(name: string, dataDir: string, acknowledged: number): Verdict[] {
  using database = new Database(databasePath(dataDir))
  const first = (sql: string) => Object.values(database.query(sql).get() as Record<string, unknown>)[0]
  const stored = Number(first("SELECT count(*) FROM form_response"))
  return [
    exactly(`${name}: responses stored, as many as acknowledged`, acknowledged, stored),
    exactly(`${name}: damage in the database`, 0, first("PRAGMA integrity_check") === "ok" ? 0 : 1),
  ]
}

async function posted(site: ServedSite, times: number): Promise<Reply[]> {
  return Promise.all(Array.from({ length: times }, () => site.post()))
}

/** Until so many different messages have come. */
async function delivered(receiver: Receiver, wanted: number): Promise<number> {
  const startedAt = performance.now()
  const ids = () => new Set(receiver.received.map(({ headers }) => headers.get("webhook-id"))).size
  while (ids() < wanted && performance.now() - startedAt < neverMs) await Bun.sleep(50)
  return ids() < wanted ? Number.POSITIVE_INFINITY : performance.now() - startedAt
}

function immutable(change: "+i" | "-i", files: string[]): boolean {
  if (!Bun.which("chattr")) return false
  const present = files.filter((file) => existsSync(file))
  return Bun.spawnSync(["chattr", change, ...present]).exitCode === 0
}

function count(replies: readonly Reply[], wanted: number): number {
  return replies.filter(({ status }) => status === wanted).length
}

function skipped(name: string, why: string): Verdict {
  return { name, mark: "–", found: `skipped: ${why}`, passed: true }
}
