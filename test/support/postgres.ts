import { test } from "bun:test"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** The engine of this run: `GUICHET_TEST_ENGINE=postgres bun test` runs the suite on PostgreSQL. */
export const engine = process.env["GUICHET_TEST_ENGINE"] === "postgres" ? "postgres" : "sqlite"

/** For what SQLite alone has: its file with its rights, its lock, its write-ahead log, its backups and copies. */
export const onSqlite = test.skipIf(engine === "postgres")

const user = "guichet"

interface PostgresServer extends Disposable {
  url(database: string): string
  pid: number
}

let shared: Promise<PostgresServer> | undefined
const created = new Map<string, Promise<string>>()

/**
 * Settings that give a data folder its database: none on SQLite. Each folder has one database of its own on the
 * server of this run, dropped with the folder.
 */
export async function databaseSettings(dataDir: string | undefined): Promise<Record<string, string>> {
  if (engine === "sqlite" || dataDir === undefined) return {}
  const url = created.get(dataDir) ?? createDatabase()
  created.set(dataDir, url)
  return { GUICHET_DATABASE_URL: await url }
}

/** Gives a folder a copy of the database of another one, which nobody uses at the moment. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const url = created.get(from)
  if (url)
    created.set(
      to,
      url.then((template) => createDatabase(new URL(template).pathname.slice(1))),
    )
  await created.get(to)
}

/** Drops the database of a folder, in the background. */
export function dropDatabase(dataDir: string): void {
  const url = created.get(dataDir)
  created.delete(dataDir)
  if (url) void url.then(drop)
}

/** Ends the server of this run, if any test has started it. */
export async function endPostgres(): Promise<void> {
  ;(await shared)?.[Symbol.dispose]()
  shared = undefined
}

/** A new database on the server of this run; its address. */
export async function createDatabase(template = "template0"): Promise<string> {
  shared ??= startPostgres(["fsync=off", "synchronous_commit=on", "max_connections=400"])
  const server = await shared
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`
  await administer(server.url("postgres"), `CREATE DATABASE ${name} TEMPLATE ${template}`)
  return server.url(name)
}

async function drop(url: string): Promise<void> {
  const server = await shared
  const name = new URL(url).pathname.slice(1)
  if (server)
    await administer(server.url("postgres"), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`).catch(() => {})
}

async function administer(url: string, statement: string): Promise<void> {
  const sql = new Bun.SQL(url, { max: 1 })
  try {
    await sql.unsafe(statement)
  } finally {
    await sql.close()
  }
}

/** Starts Debian's PostgreSQL on a free port, with a new data folder that goes with it. */
export async function startPostgres(settings: readonly string[]): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "guichet-postgres-"))
  const data = join(folder, "data")
  // PostgreSQL refuses to run as root.
  const asUser =
    process.getuid?.() === 0 ? ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] : []
  if (asUser.length > 0) Bun.spawnSync(["chown", "nobody:nogroup", folder])
  const initdb = ["initdb", "--no-sync", "-D", data, "-U", user, "-A", "trust", "-E", "UTF8", "--no-locale"]
  const made = Bun.spawnSync([...asUser, program(initdb[0] as string), ...initdb.slice(1)], { cwd: folder })
  if (made.exitCode !== 0) throw new Error(made.stderr.toString())
  const port = await freePort()
  const options = [`port=${port}`, "listen_addresses=127.0.0.1", "unix_socket_directories=", ...settings]
  const child = Bun.spawn(
    [...asUser, program("postgres"), "-D", data, ...options.flatMap((option) => ["-c", option])],
    { cwd: folder, stdout: "ignore", stderr: Bun.file(join(folder, "log")) },
  )
  const server: PostgresServer = {
    pid: child.pid,
    url: (database) => `postgres://${user}@127.0.0.1:${port}/${database}`,
    [Symbol.dispose]() {
      child.kill("SIGKILL")
      rmSync(folder, { recursive: true, force: true })
    },
  }
  for (;;) {
    try {
      await administer(server.url("postgres"), "SELECT 1")
      return server
    } catch (error) {
      if (child.exitCode !== null) throw error
      await Bun.sleep(20)
    }
  }
}

/** Of the newest version that is installed. */
function program(name: string): string {
  const versions = readdirSync("/usr/lib/postgresql").sort((one, other) => Number(other) - Number(one))
  return join("/usr/lib/postgresql", versions[0] as string, "bin", name)
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
