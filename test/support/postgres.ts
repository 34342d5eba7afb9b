import { test } from "bun:test"
import { administer, type PostgresServer, startPostgres, testSettings } from "./postgres-server.ts"

/** The engine of this run: `GUICHET_TEST_ENGINE=postgres bun test` runs the suite on PostgreSQL. */
export const engine = process.env["GUICHET_TEST_ENGINE"] === "postgres" ? "postgres" : "sqlite"

/** For what SQLite alone has: its file with its rights, its lock, its write-ahead log, its backups and copies. */
export const onSqlite = test.skipIf(engine === "postgres")

let shared: Promise<PostgresServer> | undefined
const created = new Map<string, Promise<string>>()

/**
 * Settings that give a data folder its database: none on SQLite. Each folder has one database of its own on the
 * server of this run, dropped with the folder.
 */
export async function databaseSettings(dataDir: string | undefined): Promise<Record<string, string>> {
  if (engine === "sqlite" || dataDir === undefined) return {}
  const url = created.get(dataDir) ?? createDatabase(process.env["GUICHET_TEST_TEMPLATE"])
  created.set(dataDir, url)
  return serverSettings(await url)
}

/** Settings of a node on this database. All nodes of one database have one key. */
export function serverSettings(url: string): Record<string, string> {
  return { GUICHET_DATABASE_URL: url, GUICHET_SECRET_KEY: Buffer.alloc(32, 7).toString("base64") }
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

/** `test/run.ts` starts one server for all its workers and tells them where it listens. */
function serverOfTheRun(): Promise<PostgresServer> | undefined {
  const address = process.env["GUICHET_TEST_POSTGRES"]
  if (!address) return undefined
  const url = (database: string) => new URL(`/${database}`, address).href
  return Promise.resolve({ url, [Symbol.dispose]() {} })
}

/** Ends the server of this run, if any test has started it. */
export async function endPostgres(): Promise<void> {
  ;(await shared)?.[Symbol.dispose]()
  shared = undefined
}

/** The server of this run, which the first test that needs it starts, or `preload.ts` before any. */
export function serverOfTests(): Promise<PostgresServer> {
  shared ??= serverOfTheRun() ?? startPostgres(testSettings)
  return shared
}

/** A new database on the server of this run; its address. */
export async function createDatabase(template = "template0"): Promise<string> {
  const server = await serverOfTests()
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
