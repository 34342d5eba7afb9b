import { Database } from "bun:sqlite"
import { test as anyTest, describe, expect } from "bun:test"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { versions } from "../../../src/db/migrations/versions.ts"
import { migrate as migratePostgres } from "../../../src/db/postgres/migrate.ts"
import { databasePath } from "../../../src/db/sqlite/connection.ts"
import { fileVersion } from "../../../src/db/sqlite/integrity.ts"
import { migrate } from "../../../src/db/sqlite/migrate.ts"
import { guichet } from "../../support/cli.ts"
import { createDatabase, serverSettings } from "../../support/postgres.ts"
import { administer, noPostgres } from "../../support/postgres-server.ts"
import { startServe } from "../../support/serve.ts"
import { temporaryFolder } from "../../support/service.ts"
import { tokens, writeFolder, writePostgres } from "./first-release.ts"
import { shapeOfPostgres, shapeOfSqlite } from "./shape.ts"

const test = anyTest.skipIf(noPostgres())

type Stored = Record<string, string[]>

/** Columns that another holds since. */
const mergedColumns: Record<string, readonly string[]> = {
  feed: ["base_url", "url_style", "generator", "patterns", "pages", "documents", "crawl"],
}

/** Rows as texts. What came after `before` is left out: columns, and tables. */
function rowsOf(table: string, rows: readonly object[], before: Stored | undefined): string[] {
  const first = before?.[table]?.[0]
  const names = new Set(Object.keys(first === undefined ? (rows[0] ?? {}) : JSON.parse(first)))
  for (const name of mergedColumns[table] ?? []) names.delete(name)
  return rows
    .map((row) => JSON.stringify(Object.fromEntries(Object.entries(row).filter(([name]) => names.has(name)))))
    .sort()
}

function storedInSqlite(path: string, before?: Stored): Stored {
  using database = new Database(path, { readwrite: true })
  const names = database.query(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  )
  return Object.fromEntries(
    (names.values().flat() as string[])
      .filter((name) => !before || name in before)
      .map((name) => [name, rowsOf(name, database.query(`SELECT * FROM ${name}`).all() as object[], before)]),
  )
}

async function storedInPostgres(url: string, before?: Stored): Promise<Stored> {
  const sql = new Bun.SQL(url, { max: 1 })
  const tables = await sql`SELECT tablename AS name FROM pg_tables
    WHERE schemaname = 'public' AND tablename <> 'schema_version'`
  const stored: Stored = {}
  for (const { name } of tables)
    if (!before || name in before)
      stored[name] = rowsOf(name, await sql.unsafe(`SELECT * FROM ${name}`), before)
  await sql.close()
  return stored
}

/** For either engine: a feed of each kind, beside the folder that is there. */
const otherFeeds = `
INSERT INTO feed (id, project_id, kind, address, base_url, url_style, generator, patterns, pages, documents, crawl, created_at)
SELECT 'feed_' || column1, (SELECT min(id) FROM project), column1, column2, column3, column4, column5, column6, column7, column8, column9, 1
FROM (VALUES
  ('git', 'https://git.exemple.fr/docs.git', 'https://docs.exemple.fr', 'auto', 'hugo', NULL, NULL, 0, NULL),
  ('site', 'https://docs.exemple.fr/', NULL, NULL, NULL, NULL, NULL, 1, NULL),
  ('sitemap', 'https://docs.exemple.fr/sitemap.xml', NULL, NULL, NULL, '{"include":["guide/**"],"exclude":[]}', NULL, 0, NULL),
  ('llms', 'https://docs.exemple.fr/llms.txt', NULL, NULL, NULL, NULL, NULL, 0, NULL),
  ('pages', 'https://docs.exemple.fr/', NULL, NULL, NULL, NULL, '["https://docs.exemple.fr/a"]', 0, NULL),
  ('crawl', 'https://docs.exemple.fr/', NULL, NULL, NULL, '{"include":[],"exclude":["blog/**"]}', NULL, 1, '{"depth":3,"pages":9,"parameters":["id"]}'),
  ('upload', 'uploads', NULL, NULL, NULL, NULL, NULL, 0, NULL)) AS added;`

const plain = {
  base_url: null,
  url_style: null,
  generator: null,
  include: [],
  exclude: [],
  pages: [],
  documents: false,
  crawl: null,
}
const feedsShown = [
  { ...plain, kind: "dir", base_url: "https://docs.exemple.fr", url_style: "clean", generator: "auto" },
  { ...plain, kind: "git", base_url: "https://docs.exemple.fr", url_style: "auto", generator: "hugo" },
  { ...plain, kind: "site", documents: true },
  { ...plain, kind: "sitemap", include: ["guide/**"] },
  { ...plain, kind: "llms" },
  { ...plain, kind: "pages", pages: ["https://docs.exemple.fr/a"] },
  {
    ...plain,
    kind: "crawl",
    exclude: ["blog/**"],
    documents: true,
    crawl: { depth: 3, pages: 9, parameters: ["id"] },
  },
  { ...plain, kind: "upload" },
]

const serverOf = (url: string) => ({ url, ca: undefined, tls: undefined })
const onSqliteAt = (dataDir: string) => ({
  GUICHET_DATA_DIR: dataDir,
  GUICHET_DATABASE_URL: "",
  GUICHET_SECRET_KEY: "",
})

function addFeeds(dataDir: string): void {
  using database = new Database(databasePath(dataDir), { strict: true, readwrite: true })
  database.run(otherFeeds)
}

/** Asks the API for what no retention ends. */
async function isServed(environment: Record<string, string>, token: string): Promise<void> {
  await using service = await startServe({
    ...environment,
    GUICHET_WEBHOOK_RESOLVE: "hooks.acme.fr=127.0.0.1:1",
  })
  const items = async (path: string) => {
    const reply = await fetch(`${service.url}/api/v1/${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(reply.status).toBe(200)
    return ((await reply.json()) as { items: Record<string, unknown>[] }).items
  }
  expect(await items("endpoints")).toMatchObject([{ url: "https://hooks.acme.fr/in", limited: false }])
  expect(await items("forms")).toMatchObject([{ name: "Contact" }])
  await items("journal")
  const [project] = await items("projects")
  const feeds = await items(`projects/${project?.["id"]}/feeds`)
  const byKind = new Map(feeds.map((feed) => [feed["kind"], feed]))
  expect(feedsShown.map(({ kind }) => byKind.get(kind))).toMatchObject(feedsShown)
}

describe("the oldest database that can be opened", () => {
  anyTest("becomes in SQLite what a new one is, with every row, after a copy", () => {
    using old = temporaryFolder()
    using fresh = temporaryFolder()
    writeFolder(old.path)
    const before = storedInSqlite(databasePath(old.path))
    expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([])
    migrate(fresh.path)
    const { from, to, backup } = migrate(old.path)
    expect([from, to]).toEqual([1035, versions.sqlite.current])
    const shapes = [old, fresh].map(({ path }) => {
      using database = new Database(databasePath(path), { readwrite: true })
      return shapeOfSqlite(database)
    })
    expect(shapes[0]).toEqual(shapes[1] as string[])
    expect(storedInSqlite(databasePath(old.path), before)).toEqual(before)
    expect(fileVersion(backup as string)).toBe(1035)
    expect(migrate(old.path)).toEqual({ from: to, to, backup: undefined })
  })

  test("becomes in PostgreSQL what a new one is, with every row", async () => {
    const [old, fresh] = [await createDatabase(), await createDatabase()]
    await writePostgres(old)
    const before = await storedInPostgres(old)
    expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([])
    await migratePostgres(serverOf(fresh))
    const to = versions.postgres.current
    expect(await migratePostgres(serverOf(old))).toEqual({ from: 1035, to })
    expect(await shapeOfPostgres(old)).toEqual(await shapeOfPostgres(fresh))
    expect(await storedInPostgres(old, before)).toEqual(before)
    expect(await migratePostgres(serverOf(old))).toEqual({ from: to, to })
  })

  anyTest("is served from its folder, and from a backup of it", async () => {
    using folder = temporaryFolder()
    const [old, restored] = [join(folder.path, "old"), join(folder.path, "restored")]
    mkdirSync(old)
    writeFolder(old)
    addFeeds(old)
    const backup = join(folder.path, "backup.db")
    cpSync(databasePath(old), backup)
    cpSync(join(old, "secret.key"), `${backup}.key`)
    const done = await guichet(["restore", backup, "--json"], onSqliteAt(restored))
    expect(done.exitCode, done.stderr).toBe(0)
    expect(JSON.parse(done.stdout)).toEqual({ erased: 0, secrets_renewed: [] })
    for (const dataDir of [old, restored]) await isServed(onSqliteAt(dataDir), tokens.sqlite)
    expect(existsSync(join(old, `guichet.db.before-${versions.sqlite.current}`))).toBe(true)
  })

  test("is served from PostgreSQL", async () => {
    using folder = temporaryFolder()
    const url = await createDatabase()
    await writePostgres(url)
    await administer(url, otherFeeds)
    await isServed({ ...serverSettings(url), GUICHET_DATA_DIR: folder.path }, tokens.postgres)
  })

  test("is moved to the other engine", async () => {
    using folder = temporaryFolder()
    writeFolder(folder.path)
    const url = await createDatabase()
    const moved = await guichet(["move", "--to", url, "--json"], onSqliteAt(folder.path))
    expect(moved.exitCode, moved.stderr).toBe(0)
    expect(JSON.parse(moved.stdout).was_moved).toBe(false)
    const fresh = await createDatabase()
    await migratePostgres(serverOf(fresh))
    expect(await shapeOfPostgres(url)).toEqual(await shapeOfPostgres(fresh))
  })
})

const tooOld = /database version 1034\).*left as it is.*commit 5f940d96/

describe("an older database is left as it is, and the program to open it with first is named", () => {
  anyTest("in a folder and in a backup", async () => {
    using folder = temporaryFolder()
    const [old, restored] = [join(folder.path, "old"), join(folder.path, "restored")]
    mkdirSync(old)
    writeFolder(old, 1034)
    const before = readFileSync(databasePath(old))
    const backup = join(folder.path, "backup.db")
    cpSync(databasePath(old), backup)
    for (const command of [
      ["serve"],
      ["workspace", "list"],
      ["move", "--to", "postgres://guichet@127.0.0.1:1/guichet"],
    ]) {
      const refused = await guichet(command, onSqliteAt(old))
      expect(refused).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringMatching(tooOld) })
    }
    const refused = await guichet(["restore", backup], onSqliteAt(restored))
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(tooOld) })
    expect(readdirSync(restored)).toEqual([])
    expect(readFileSync(databasePath(old)).equals(before)).toBe(true)
    expect(readdirSync(old).filter((name) => name.includes("before"))).toEqual([])
  })

  test("in PostgreSQL", async () => {
    const url = await createDatabase()
    await writePostgres(url, 1034)
    const before = [await shapeOfPostgres(url), await storedInPostgres(url)]
    await expect(migratePostgres(serverOf(url))).rejects.toThrow(tooOld)
    expect([await shapeOfPostgres(url), await storedInPostgres(url)]).toEqual(before)
  })
})
