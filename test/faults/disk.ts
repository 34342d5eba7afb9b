import { Database } from "bun:sqlite"
import { closeSync, cpSync, mkdirSync, openSync, rmSync, statfsSync, statSync, writeSync } from "node:fs"
import { join } from "node:path"
import { openAuthority } from "../support/authority.ts"
import { guichet, program } from "../support/cli.ts"
import { mayMount, mountMemory } from "../support/mount.ts"
import { freePort } from "../support/port.ts"
import { settingsFor, startReceiver } from "../support/receiver.ts"
import { launchServe, startServe } from "../support/serve.ts"
import { temporaryFolder } from "../support/service.ts"
import { atLeast, atMost, exactly, type Verdict } from "../support/verdict.ts"
import { neverMs, type Reply, startServedSite, timed, until } from "./served-site.ts"

const main = await program()

/** The disk fills up under form posts, and is given room again. */
export async function diskFull(): Promise<Verdict[]> {
  if (!mayMount) return [skipped("disk full")]
  using folder = temporaryFolder()
  const dataDir = join(folder.path, "data")
  using _mounted = mountMemory(dataDir, "size=24m,mode=0700")
  await using site = await startServedSite(dataDir)
  const before = await many(site.post, 20)
  const filler = join(dataDir, "others")
  fill(filler)
  const during = await many(site.post, 200)
  const readiness = (await site.get("/readyz")).status
  const alive = (await site.get("/healthz")).status
  rmSync(filler)
  const recoveredMs = await until(() => site.get("/readyz"), 200)
  const after = await many(site.post, 20)
  const acknowledged = [...before, ...during, ...after].filter(({ status }) => status === 201).length
  const { stored, integrity } = storedIn(dataDir)
  return [
    exactly("disk full: posts acknowledged before", 20, count(before, 201)),
    atLeast("disk full: posts refused with 503 while it is full", 1, count(during, 503)),
    exactly("disk full: posts neither acknowledged nor 503", 0, during.length - count(during, 201, 503)),
    exactly("disk full: status of /readyz", 503, readiness),
    exactly("disk full: status of /healthz", 200, alive),
    atMost("disk full: back after room was made", 5000, recoveredMs, " ms"),
    exactly("disk full: posts acknowledged afterwards", 20, count(after, 201)),
    exactly("disk full: acknowledged and not stored", 0, Math.max(0, acknowledged - stored)),
    exactly("disk full: damage in the database", 0, integrity === "ok" ? 0 : 1),
  ]
}

/** A service starts on a full disk although work is left to it: it waits for room. */
export async function restartOnFullDisk(): Promise<Verdict[]> {
  const name = "restart on a full disk"
  if (!mayMount) return [skipped(name)]
  using folder = temporaryFolder()
  const dataDir = join(folder.path, "data")
  using _mounted = mountMemory(dataDir, "size=24m,mode=0700")
  {
    await using _site = await startServedSite(dataDir)
  }
  leaveIndexing(dataDir)
  const filler = join(dataDir, "others")
  fill(filler)
  const port = await freePort()
  await using service = await launchServe({ GUICHET_DATA_DIR: dataDir, GUICHET_PORT: String(port) })
  const get = (path: string) => timed(`http://127.0.0.1:${port}${path}`)
  const waitedMs = await until(async () => {
    const reply = await get("/readyz")
    return { ...reply, status: /the disk is full/.test(service.log()) ? reply.status : 0 }
  }, 503)
  const alive = (await get("/healthz")).status
  rmSync(filler)
  await service.ready
  return [
    atMost(`${name}: until it says that it waits`, neverMs, waitedMs, " ms"),
    exactly(`${name}: status of /healthz meanwhile`, 200, alive),
    exactly(`${name}: status of /readyz once there is room`, 200, (await get("/readyz")).status),
  ]
}

/** A reading that a service was asked for and did not end: the next one takes it up as it starts. */
function leaveIndexing(dataDir: string): void {
  using database = new Database(join(dataDir, "guichet.db"))
  database.run(`INSERT INTO indexing_request (project_id, request)
    SELECT id, '{"kind":"read","force":false}' FROM project`)
}

/**
 * Others fill the disk up to what is kept free: forms are refused, and that alone; what was acknowledged
 * before is delivered meanwhile.
 */
export async function diskNearlyFull(): Promise<Verdict[]> {
  const name = "disk nearly full"
  if (!mayMount) return [skipped(name)]
  using folder = temporaryFolder()
  const dataDir = join(folder.path, "data")
  using _mounted = mountMemory(dataDir, "size=96m,mode=0700")
  using authority = openAuthority()
  const isFull = Promise.withResolvers<void>()
  await using receiver = await startReceiver(authority, "hooks.acme.fr", async () => {
    await isFull.promise
    return new Response("")
  })
  const settings = { ...settingsFor(authority, receiver), GUICHET_MIN_FREE_DISK: "48 MB" }
  await using site = await startServedSite(dataDir, settings)
  const before = await many(site.post, 20)
  const filler = join(dataDir, "others")
  const file = openSync(filler, "w")
  while (freeBytes(dataDir) > 40 * 1024 ** 2) writeSync(file, new Uint8Array(1 << 20))
  closeSync(file)
  const noticedMs = await until(site.post, 503)
  isFull.resolve()
  const during = await many(site.post, 50)
  const asks = await many(() => site.ask(), 20)
  const readiness = (await site.get("/readyz")).status
  await receiver.waitFor(20)
  const said = site.service.log().includes("the disk is nearly full") ? 1 : 0
  rmSync(filler)
  const recoveredMs = await until(site.post, 201)
  return [
    exactly(`${name}: posts acknowledged before`, 20, count(before, 201)),
    atMost(`${name}: until it is noticed`, 3000, noticedMs, " ms"),
    exactly(`${name}: posts refused with 503, of 50`, 50, count(during, 503)),
    exactly(`${name}: questions answered, of 20`, 20, count(asks, 200)),
    exactly(`${name}: status of /readyz`, 200, readiness),
    atLeast(`${name}: deliveries meanwhile`, 20, receiver.received.length),
    exactly(`${name}: said in the log`, 1, said),
    atMost(`${name}: back after room was made`, 5000, recoveredMs, " ms"),
  ]
}

/**
 * The disk comes back read-only, as after an error of its own: the start says so, and once it is well again
 * all is there.
 */
export async function readOnly(): Promise<Verdict[]> {
  if (!mayMount) return [skipped("read-only disk")]
  using folder = temporaryFolder()
  const dataDir = join(folder.path, "data")
  using mounted = mountMemory(dataDir, "size=64m,mode=0700")
  {
    await using _site = await startServedSite(dataDir)
  }
  mounted?.remount("ro")
  const refusal = refusedStart(dataDir)
  mounted?.remount("rw")
  await using again = await startServe({ GUICHET_DATA_DIR: dataDir })
  return [
    exactly("read-only disk: starts refused with a reason", 1, /read-only/.test(refusal.said) ? 1 : 0),
    atMost("read-only disk: until the refusal", 5000, refusal.ms, " ms"),
    exactly(
      "read-only disk: status of /readyz when it is well again",
      200,
      (await fetch(`${again.url}/readyz`)).status,
    ),
  ]
}

/** Pages of the database are overwritten with rubbish: every start says so, and none goes on. */
export async function corrupted(): Promise<Verdict[]> {
  using folder = temporaryFolder()
  const sound = join(folder.path, "sound")
  mkdirSync(sound)
  await guichet(["project", "list"], { GUICHET_DATA_DIR: sound })
  const places = [0, 0.02, 0.2, 0.5, 0.9]
  let refused = 0
  let longestMs = 0
  for (const place of places) {
    const dataDir = join(folder.path, `damaged-${place}`)
    cpSync(sound, dataDir, { recursive: true })
    overwrite(join(dataDir, "guichet.db"), place)
    const { said, ms } = refusedStart(dataDir)
    longestMs = Math.max(longestMs, ms)
    if (/damaged|not a database/.test(said)) refused++
  }
  return [
    exactly("corrupted database: starts refused with a reason", places.length, refused),
    atMost("corrupted database: longest until the refusal", 5000, longestMs, " ms"),
  ]
}

/** What a start says that is refused; nothing when it is not. */
function refusedStart(dataDir: string): { said: string; ms: number } {
  const startedAt = performance.now()
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, main, "serve"], {
    env: { PATH: process.env["PATH"] ?? "", GUICHET_DATA_DIR: dataDir, GUICHET_PORT: "0" },
    timeout: neverMs,
    killSignal: "SIGKILL",
  })
  const said = exitCode === 1 || exitCode === 2 ? stderr.toString() : ""
  return { said, ms: performance.now() - startedAt }
}

async function many(request: () => Promise<Reply>, times: number): Promise<Reply[]> {
  const replies: Reply[] = []
  for (let done = 0; done < times; done += 10)
    replies.push(...(await Promise.all(Array.from({ length: Math.min(10, times - done) }, request))))
  return replies
}

function count(replies: readonly Reply[], ...statuses: number[]): number {
  return replies.filter(({ status }) => statuses.includes(status)).length
}

/** Takes whatever room is left. */
function fill(path: string): void {
  const file = openSync(path, "w")
  for (const size of [1 << 16, 1 << 12, 1]) {
    try {
      for (;;) if (writeSync(file, new Uint8Array(size)) < size) break
    } catch {}
  }
  closeSync(file)
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

function overwrite(path: string, place: number): void {
  for (const end of ["-wal", "-shm"]) rmSync(`${path}${end}`, { force: true })
  const file = openSync(path, "r+")
  const size = statSync(path).size
  const rubbish = crypto.getRandomValues(new Uint8Array(16_384))
  writeSync(file, rubbish, 0, rubbish.length, Math.floor((size * place) / 4096) * 4096)
  closeSync(file)
}

function storedIn(dataDir: string): { stored: number; integrity: string } {
  using database = new Database(join(dataDir, "guichet.db"))
  const first = (sql: string) => Object.values(database.query(sql).get() as Record<string, unknown>)[0]
  return {
    stored: Number(first("SELECT count(*) FROM form_response")),
    integrity: String(first("PRAGMA integrity_check")),
  }
}

function skipped(name: string): Verdict {
  return { name, mark: "–", found: "skipped: may not mount", passed: true }
}
