import { Database } from "bun:sqlite"
import { afterEach, test as anyTest, beforeEach, expect } from "bun:test"
import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { versions } from "../../../src/db/migrations/versions.ts"
import { takeLock } from "../../../src/db/postgres/lock.ts"
import { refuseServices } from "../../../src/db/postgres/version-lock.ts"
import { openSource } from "../../../src/db/sqlite/move.ts"
import { guichet, program } from "../../support/cli.ts"
import { mayMount, mountMemory } from "../../support/mount.ts"
import { openNotifySocket } from "../../support/notify-socket.ts"
import { freePort } from "../../support/port.ts"
import { createDatabase, onSqlite, serverSettings } from "../../support/postgres.ts"
import { administer, noPostgres, startPostgres, testSettings } from "../../support/postgres-server.ts"
import { eventually } from "../../support/processes.ts"
import { type Launched, launchServe } from "../../support/serve.ts"
import { type TemporaryFolder, temporaryFolder } from "../../support/service.ts"

const main = await program()

/* A service that starts before what it needs is there. */

const onPostgres = anyTest.skipIf(noPostgres())
const isRoot = process.getuid?.() === 0
const nobody = 65_534

let folder: TemporaryFolder
let dataDir: string
let port: number
beforeEach(async () => {
  folder = temporaryFolder()
  dataDir = join(folder.path, "data")
  port = await freePort()
})
afterEach(() => folder[Symbol.dispose]())

const launch = (environment: Record<string, string> = {}, command?: string[]) =>
  launchServe({ GUICHET_DATA_DIR: dataDir, GUICHET_PORT: String(port), ...environment }, command)

const get = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)

/** Resolves once `/readyz` says that the service waits for this. */
async function waitsFor(reason: string): Promise<void> {
  await eventually(async () => {
    const reply = await get("/readyz").catch(() => undefined)
    return reply?.status === 503 && (await reply.text()).includes(reason)
  })
  expect((await get("/healthz")).status).toBe(200)
}

/** The service is ready by itself, and has said once what it waited for. */
async function goesOn(service: Launched, reason: string): Promise<void> {
  await service.ready
  expect((await get("/readyz")).status).toBe(200)
  const warnings = service
    .log()
    .split("\n")
    .filter((line) => line.includes('"WARN"'))
  expect(warnings.filter((line) => line.includes(reason))).toHaveLength(1)
  service.stop()
  expect(await service.exited, service.log()).toBe(0)
}

onPostgres("PostgreSQL that starts later is used as soon as it is there", async () => {
  using server = await startPostgres(testSettings)
  await administer(server.url("postgres"), "CREATE DATABASE later")
  await server.crash()
  await using service = await launch(serverSettings(server.url("later")))
  await waitsFor("PostgreSQL cannot be reached")
  await server.restart()
  await goesOn(service, "PostgreSQL cannot be reached")
})

onPostgres("until then everything is answered with the usual error, which pages may read", async () => {
  await using _service = await launch(
    serverSettings(`postgres://guichet@127.0.0.1:${await freePort()}/later`),
  )
  await waitsFor("PostgreSQL cannot be reached")
  const asked = await get("/api/v1/ask", { method: "POST", body: "{}", headers: { origin: "https://a.fr" } })
  expect(asked.status).toBe(503)
  expect(asked.headers.get("access-control-allow-origin")).toBe("https://a.fr")
  expect(Number(asked.headers.get("retry-after"))).toBeGreaterThan(0)
  expect(await asked.json()).toEqual({
    error: { code: "unavailable", message: expect.stringContaining("Réessayez dans quelques instants") },
  })
  for (const path of ["/", "/console", "/metrics", "/widget.js"]) expect((await get(path)).status).toBe(503)
  const preflight = await get("/api/v1/ask", { method: "OPTIONS", headers: { origin: "https://a.fr" } })
  expect(preflight.ok).toBe(true)
})

onPostgres("a database, a user and a password that the server gets later are found", async () => {
  using server = await startPostgres(testSettings)
  const name = `later_${crypto.randomUUID().slice(0, 8)}`
  await using service = await launch(serverSettings(server.url(name)))
  await waitsFor("has no such database")
  await administer(server.url("postgres"), `CREATE DATABASE ${name}`)
  await goesOn(service, "has no such database")
})

onPostgres(
  "another node's migration, and a move that copies the database, come to their end first",
  async () => {
    const url = await createDatabase()
    const server = { url, ca: undefined, tls: undefined }
    const migrating = await takeLock(server, "migration")
    await using service = await launch(serverSettings(url))
    await waitsFor("another program holds it")
    const moving = await refuseServices(server, versions.postgres.current)
    await migrating?.[Symbol.asyncDispose]()
    await waitsFor("guichet move copies it")
    await moving?.[Symbol.asyncDispose]()
    await goesOn(service, "guichet move copies it")
  },
)

onSqlite("another program that holds the SQLite database lets go of it first", async () => {
  mkdirSync(dataDir)
  using other = new Database(join(dataDir, "guichet.db"))
  other.run("BEGIN EXCLUSIVE")
  await using service = await launch()
  await waitsFor("another program holds it")
  other.run("ROLLBACK")
  await goesOn(service, "another program holds it")
})

onSqlite("so does guichet move", async () => {
  mkdirSync(dataDir)
  expect((await guichet(["workspace", "list"], { GUICHET_DATA_DIR: dataDir })).exitCode).toBe(0)
  const moving = openSource(dataDir)
  await using service = await launch()
  await waitsFor("guichet move works with")
  await moving[Symbol.asyncDispose]()
  await goesOn(service, "guichet move works with")
})

anyTest(
  "a port that is taken for a while is listened on afterwards; told to stop before, it stops",
  async () => {
    const other = Bun.serve({ hostname: "127.0.0.1", port, fetch: () => new Response("mine") })
    await using service = await launch()
    await using told = await launch({ GUICHET_DATA_DIR: join(folder.path, "other") })
    for (const each of [service, told]) await eventually(() => each.log().includes("the port is taken"))
    expect(await (await get("/readyz")).text()).toBe("mine")
    told.stop()
    expect(await told.exited).toBe(0)
    await other.stop(true)
    await goesOn(service, "the port is taken")
  },
)

anyTest.skipIf(!mayMount)("a read-only disk (needs the right to mount one)", async () => {
  using disk = mountMemory(dataDir, "ro,size=16m,mode=0700")
  await using service = await launch()
  await waitsFor("ProtectSystem=strict")
  disk?.remount("rw")
  await goesOn(service, "the disk is read-only")
})

anyTest.skipIf(!mayMount)("a full disk (needs the right to mount one)", async () => {
  using _disk = mountMemory(dataDir, "size=16m,mode=0700")
  const others = join(dataDir, "others")
  fill(others)
  await using service = await launch()
  await waitsFor("full")
  rmSync(others)
  await goesOn(service, "full")
})

/** Writes until the disk takes no more. */
function fill(file: string): void {
  for (let bytes = 4 * 1024 * 1024; bytes >= 4096; )
    try {
      writeFileSync(file, new Uint8Array(bytes), { flag: "a" })
    } catch {
      bytes /= 2
    }
}

anyTest.skipIf(!isRoot || !Bun.which("setpriv"))(
  "a data folder whose disk is mounted later (needs root to become another user)",
  async () => {
    chmodSync(folder.path, 0o755)
    const asNobody = ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"]
    // The sources and Bun must be readable by everybody, which a private home folder may prevent.
    if (Bun.spawnSync([...asNobody, process.execPath, main, "version"]).exitCode !== 0) return
    await using service = await launch({}, [...asNobody, process.execPath, main])
    await waitsFor(`the data folder ${dataDir} cannot be made`)
    mkdirSync(dataDir, { mode: 0o700 })
    await waitsFor("it belongs to user 0, the program runs as 65534")
    chownSync(dataDir, nobody, nobody)
    chmodSync(dataDir, 0o500)
    await waitsFor("its permissions forbid it (chmod u+rwx gives them back)")
    chmodSync(dataDir, 0o700)
    await goesOn(service, "it belongs to user 0")
  },
)

onPostgres("a stop while it waits ends it, with 0", async () => {
  // A server that takes connections and says nothing.
  using silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } })
  await using service = await launch(serverSettings(`postgres://guichet@127.0.0.1:${silent.port}/later`))
  await waitsFor("starting")
  service.stop()
  expect(await service.exited).toBe(0)
})

anyTest.skipIf(process.platform !== "linux")("systemd is told what it waits for", async () => {
  using socket = openNotifySocket(join(folder.path, "notify"))
  mkdirSync(dataDir)
  const other = new Database(join(dataDir, "guichet.db"))
  other.run("BEGIN EXCLUSIVE")
  await using _service = await launch({ NOTIFY_SOCKET: socket.address, GUICHET_DATABASE_URL: "" })
  expect(await socket.next()).toBe("READY=1")
  expect(await socket.next()).toMatch(/^STATUS=waits: .*another program holds it$/)
  other.close()
  let last = await socket.next()
  while (last.startsWith("STATUS=waits")) last = await socket.next()
  expect(last).toBe("STATUS=ready")
})
