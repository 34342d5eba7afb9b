import { Database } from "bun:sqlite"
import { afterEach, beforeEach, expect, test } from "bun:test"
import { chownSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { networkInterfaces } from "node:os"
import { join } from "node:path"
import { guichet, program } from "../support/cli.ts"
import { mayMount, mountMemory } from "../support/mount.ts"
import { onSqlite } from "../support/postgres.ts"
import { startServe } from "../support/serve.ts"
import { type TemporaryFolder, temporaryFolder } from "../support/service.ts"

const main = await program()

let folder: TemporaryFolder
let dataDir: string
beforeEach(() => {
  folder = temporaryFolder()
  dataDir = join(folder.path, "data")
})
afterEach(() => folder[Symbol.dispose]())

const hasIpv6 = Object.values(networkInterfaces()).some((list) =>
  list?.some(({ address }) => address === "::1"),
)
const isRoot = process.getuid?.() === 0
const nobody = 65_534

/** Starts a service that must give up by itself; resolves to the one line that it prints. */
async function refusal(environment: Record<string, string> = {}): Promise<string> {
  const child = Bun.spawn([process.execPath, main, "serve"], {
    env: {
      PATH: process.env["PATH"] ?? "",
      GUICHET_DATA_DIR: dataDir,
      GUICHET_PORT: "0",
      GUICHET_LOG_LEVEL: "warning",
      ...environment,
    },
    stderr: "pipe",
    timeout: 60_000,
    killSignal: "SIGKILL",
  })
  const said = await new Response(child.stderr).text()
  // What starting again would not change: see RestartPreventExitStatus of the unit.
  expect(await child.exited, said).toBe(2)
  expect(said.trim().split("\n"), said).toHaveLength(1)
  return said
}

const list = () => {
  mkdirSync(dataDir, { recursive: true })
  return guichet(["project", "list"], { GUICHET_DATA_DIR: dataDir })
}
const databaseFile = () => join(dataDir, "guichet.db")

test("an address that is none: nothing is made", async () => {
  expect(await refusal({ GUICHET_HOST: "no.such.host.invalid" })).toContain("GUICHET_HOST")
  expect(readdirSync(folder.path)).toEqual([])
})

test.skipIf(!hasIpv6)("the address it listens on is logged as a URL, that of IPv6 too", async () => {
  await using service = await startServe({ GUICHET_DATA_DIR: dataDir, GUICHET_HOST: "::1" })
  expect(service.url).toMatch(/^http:\/\/\[::1\]:\d+$/)
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
})

test("a link to make the first operator stands in the log of the first start alone", async () => {
  const logOf = async () => {
    await using service = await startServe({ GUICHET_DATA_DIR: dataDir })
    return service.log()
  }
  expect(await logOf()).toContain("/console/setup/")
  const later = await logOf()
  expect(later).not.toContain("/console/setup/")
  expect(later).toContain("guichet setup-link prints a link")
})

test("settings of a first operator that make no account are named", async () => {
  const file = join(folder.path, "password")
  writeFileSync(file, "court")
  const operator = { GUICHET_OPERATOR_EMAIL: "camille", GUICHET_OPERATOR_PASSWORD_FILE: file }
  const said = await refusal(operator)
  for (const name of Object.keys(operator)) expect(said).toContain(name)
})

test("bad settings: every one is named, and nothing is made", async () => {
  const ended = await guichet(["serve"], {
    GUICHET_DATA_DIR: dataDir,
    GUICHET_PORT: "x",
    GUICHET_TIMEZONE: "Mars",
  })
  expect(ended.exitCode).toBe(2)
  expect(ended.stderr).toContain("GUICHET_PORT=x")
  expect(ended.stderr).toContain("GUICHET_TIMEZONE=Mars")
  expect(readdirSync(folder.path)).toEqual([])
})

test("a variable that is no setting is ignored, and named where somebody may look", async () => {
  const environment = {
    GUICHET_DATA_DIR: dataDir,
    GUICHET_PUBLIC_ULR: "https://guichet.exemple.fr",
    PORT: "1",
  }
  const checked = await guichet(["config"], environment)
  expect([checked.exitCode, checked.stderr]).toEqual([
    0,
    "guichet: GUICHET_PUBLIC_ULR (did you mean GUICHET_PUBLIC_URL?) is no setting and is ignored\n",
  ])
  await using service = await startServe(environment)
  const line = service.log().match(/^.*"variables that are no settings.*$/m)?.[0] ?? "{}"
  expect(JSON.parse(line)).toMatchObject({
    level: "WARN",
    unknown: ["GUICHET_PUBLIC_ULR (did you mean GUICHET_PUBLIC_URL?)"],
  })
})

/** `config` refuses such a folder as a bad setting; a service goes on serving visitors, and logs an error. */
async function expectNoBackups(backups: string, trouble: string): Promise<void> {
  const environment = { GUICHET_DATA_DIR: dataDir, GUICHET_BACKUP_DIR: backups }
  const checked = await guichet(["config"], environment)
  expect(checked.exitCode).toBe(2)
  expect(checked.stderr).toContain(`GUICHET_BACKUP_DIR=${backups} ${trouble}`)
  await using service = await startServe(environment)
  const line = service.log().match(/^.*"no backup can be made".*$/m)?.[0] ?? "{}"
  expect(JSON.parse(line)).toMatchObject({ level: "ERROR", folder: backups, trouble })
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
}

test("a folder of backups that cannot be one is told at the start", async () => {
  const file = join(folder.path, "file")
  writeFileSync(file, "mine")
  await expectNoBackups(file, "is not a folder")
  await expectNoBackups(join(file, "below"), `cannot be made: ${file} is not a folder`)
})

test.skipIf(!mayMount)("and one on a read-only disk (needs the right to mount one)", async () => {
  const backups = join(folder.path, "backups")
  using _mounted = mountMemory(backups, "ro,size=1m")
  await expectNoBackups(backups, "cannot be written to (EROFS)")
})

test("a data folder that is a file", async () => {
  writeFileSync(dataDir, "mine")
  expect(await refusal()).toContain("is not a folder")
  expect(await refusal({ GUICHET_DATA_DIR: join(dataDir, "below") })).toContain("is not a folder")
})

test.skipIf(!isRoot)("a data folder of somebody else (needs root to make one)", async () => {
  mkdirSync(dataDir)
  chownSync(dataDir, nobody, nobody)
  expect(await refusal()).toContain(`belongs to user ${nobody}, not to root`)
  expect(readdirSync(dataDir)).toEqual([])
})

onSqlite("a file that is not a database, a database cut short or damaged inside", async () => {
  mkdirSync(dataDir)
  writeFileSync(databaseFile(), crypto.getRandomValues(new Uint8Array(20_000)))
  expect(await refusal()).toContain("is damaged or not a database")
  expect(readdirSync(dataDir)).toEqual(["guichet.db"])
  rmSync(databaseFile())
  expect((await list()).exitCode).toBe(0)
  for (const leftover of ["-wal", "-shm"]) rmSync(`${databaseFile()}${leftover}`, { force: true })
  const sound = readFileSync(databaseFile())
  truncateSync(databaseFile(), 8192)
  expect(await refusal()).toContain("is damaged")
  for (const share of [0.02, 0.5, 0.9]) {
    const damaged = Buffer.from(sound)
    damaged.fill(0xa5, Math.floor(sound.length * share), Math.floor(sound.length * share) + 16_384)
    for (const leftover of ["-wal", "-shm"]) rmSync(`${databaseFile()}${leftover}`, { force: true })
    writeFileSync(databaseFile(), damaged)
    expect(await refusal()).toContain("is damaged")
  }
})

test("a database that a newer program has written", async () => {
  await list()
  {
    using database = new Database(databaseFile())
    database.run("PRAGMA user_version = 9999")
  }
  expect(await refusal()).toContain("was written by a newer Guichet")
})

onSqlite("a key that is missing or another one, while the database holds secrets", async () => {
  await list()
  const key = join(dataDir, "secret.key")
  rmSync(key)
  expect(await refusal()).toContain("secret.key is missing")
  expect(readdirSync(dataDir)).not.toContain("secret.key")
  writeFileSync(key, Buffer.alloc(32, 1).toString("base64"))
  expect(await refusal()).toContain("is not the key this database was written with")
  writeFileSync(key, "short")
  expect(await refusal()).toContain("does not hold 32 bytes")
})
