import { Database } from "bun:sqlite"
import { test as anyTest, expect } from "bun:test"
import { migrate, steps } from "../../../src/db/postgres/migrate.ts"
import { holdVersionLock, refuseServices } from "../../../src/db/postgres/version-lock.ts"
import { migrations } from "../../../src/db/sqlite/migrate.ts"
import { guichet } from "../../support/cli.ts"
import { createDatabase, serverSettings } from "../../support/postgres.ts"
import { administer, noPostgres } from "../../support/postgres-server.ts"
import { eventually } from "../../support/processes.ts"
import { startServe } from "../../support/serve.ts"
import { temporaryFolder } from "../../support/service.ts"

const test = anyTest.skipIf(noPostgres())

const serverOf = (url: string) => ({ url, ca: undefined, tls: undefined })

test("a database is made once, whoever starts with it, and found as it is afterwards", async () => {
  const server = serverOf(await createDatabase())
  const made = await Promise.all([migrate(server), migrate(server), migrate(server)])
  const to = migrations.length
  expect(made.map(({ from }) => from).sort()).toEqual([0, to, to].sort())
  expect(await migrate(server)).toEqual({ from: to, to })
})

test("a program that is older than the database does not start", async () => {
  const server = serverOf(await createDatabase())
  await migrate(server, [...steps, { version: migrations.length + 1, sql: "" }])
  expect(migrate(server)).rejects.toThrow("newer Guichet")
})

test("a program that changes tables waits until no service of an older one runs", async () => {
  const server = serverOf(await createDatabase())
  const { to } = await migrate(server)
  const newer = [...steps, { version: to + 1, sql: "CREATE TABLE later (id bigint)" }]
  {
    await using _older = await holdVersionLock(server, to)
    expect(migrate(server, newer)).rejects.toThrow("stop every one")
    // One that changes none may run beside it.
    expect(await migrate(server)).toEqual({ from: to, to })
    await Bun.sleep(0)
  }
  expect(await migrate(server, newer)).toEqual({ from: to, to: to + 1 })
})

test("nodes are upgraded by stopping the last one, and no older one starts afterwards", async () => {
  const url = await createDatabase()
  const newer = [...steps, { version: steps.length + 100, sql: "CREATE TABLE later (id bigint)" }]
  using first = temporaryFolder()
  using second = temporaryFolder()
  const environmentOf = ({ path }: { path: string }) => ({ ...serverSettings(url), GUICHET_DATA_DIR: path })
  await using one = await startServe(environmentOf(first))
  await using other = await startServe(environmentOf(second))
  for (const node of [one, other]) {
    await expect(migrate(serverOf(url), newer)).rejects.toThrow("stop every one")
    node.stop()
    expect(await node.exited).toBe(0)
  }
  await migrate(serverOf(url), newer)
  const refused = await guichet(["serve"], { GUICHET_PORT: "0", ...environmentOf(first) })
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("a newer Guichet") })
})

test("a service whose connections ended while a newer program migrated the database ends, and says why", async () => {
  const url = await createDatabase()
  const { to } = await migrate(serverOf(url))
  const newer = [...steps, { version: to + 1, sql: "CREATE TABLE later (id bigint)" }]
  using folder = temporaryFolder()
  await using service = await startServe({ ...serverSettings(url), GUICHET_DATA_DIR: folder.path })
  await eventually(async () => {
    await endConnections(url)
    return migrate(serverOf(url), newer).catch(() => undefined)
  })
  expect(await service.exited).toBe(2)
  expect(service.log()).toContain("a newer Guichet")
})

test("a service whose connections ended is told of a copy that began meanwhile", async () => {
  const url = await createDatabase()
  const { to } = await migrate(serverOf(url))
  await using held = await holdVersionLock(serverOf(url), to)
  const copying = await eventually(async () => {
    await endConnections(url)
    return refuseServices(serverOf(url), to)
  })
  expect(String(await held.superseded)).toContain("guichet move")
  await copying[Symbol.asyncDispose]()
})

test("a service whose connections ended goes on when nothing has changed", async () => {
  const url = await createDatabase()
  const { to } = await migrate(serverOf(url))
  const newer = [...steps, { version: to + 1, sql: "" }]
  await using held = await holdVersionLock(serverOf(url), to)
  await endConnections(url)
  const sql = new Bun.SQL(url, { max: 1 })
  await eventually(async () => {
    const [row] = await sql`
      SELECT 1 FROM pg_locks JOIN pg_database d ON d.oid = database
      WHERE locktype = 'advisory' AND d.datname = current_database()`
    return row
  })
  await sql.close()
  await expect(migrate(serverOf(url), newer)).rejects.toThrow("stop every one")
  expect(await Promise.race([held.superseded, Bun.sleep(0)])).toBeUndefined()
})

async function endConnections(url: string): Promise<void> {
  await administer(
    url,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  )
}

test("a service does not begin that a newer program was faster than", async () => {
  const server = serverOf(await createDatabase())
  const { to } = await migrate(server)
  await migrate(server, [...steps, { version: to + 1, sql: "" }])
  await expect(holdVersionLock(server, to)).rejects.toThrow("a newer Guichet")
  // It keeps nobody from migrating.
  expect(await migrate(server, [...steps, { version: to + 2, sql: "" }])).toMatchObject({ to: to + 2 })
})

test("both engines have the same tables, columns and unique keys", async () => {
  expect(steps.at(-1)?.version).toBe(migrations.length)
  const url = await createDatabase()
  await migrate(serverOf(url))
  const sqlite = new Database(":memory:")
  for (const step of migrations) sqlite.run(step)
  expect(await postgresSchema(url)).toEqual(sqliteSchema(sqlite))
})

interface Column {
  table: string
  column: string
  type: string
  isNull: boolean
}

const types: Record<string, string> = {
  INTEGER: "bigint",
  TEXT: "text",
  BLOB: "bytea",
  REAL: "double precision",
}

/** SQLite keeps an index of words in tables of its own. */
const isOfBoth = "m.name NOT LIKE 'sqlite_%' AND m.name NOT LIKE 'form_response_search%'"

function sqliteSchema(database: Database) {
  const columns = database
    .query(
      `SELECT m.name AS "table", c.name AS column, c.type, NOT (c."notnull" OR c.pk) AS "isNull"
       FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table' AND ${isOfBoth}`,
    )
    .all() as (Omit<Column, "isNull"> & { isNull: number })[]
  const keys = database
    .query(
      `SELECT m.name || ' (' || (SELECT group_concat(name, ', ') FROM (SELECT name FROM pragma_index_info(i.name) ORDER BY seqno)) || ')' AS key
       FROM sqlite_schema m, pragma_index_list(m.name) i WHERE m.type = 'table' AND i."unique" AND i.origin <> 'pk' AND ${isOfBoth}
       UNION
       SELECT name || ' (' || (SELECT group_concat(name, ', ') FROM (SELECT name FROM pragma_table_info(m.name) WHERE pk ORDER BY pk)) || ')'
       FROM sqlite_schema m WHERE type = 'table' AND ${isOfBoth}`,
    )
    .all() as { key: string | null }[]
  return described(
    columns.map((each) => ({ ...each, type: types[each.type] as string, isNull: Boolean(each.isNull) })),
    keys.flatMap(({ key }) => key ?? []),
  )
}

async function postgresSchema(url: string) {
  const sql = new Bun.SQL(url, { max: 1 })
  const columns: Column[] = await sql`
    SELECT table_name AS "table", column_name AS column, data_type AS type, is_nullable = 'YES' AS "isNull"
    FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'schema_version'`
  const keys: { key: string }[] = await sql`
    SELECT c.relname || ' (' || (
      SELECT string_agg(a.attname, ', ' ORDER BY k.n) FROM unnest(i.indkey) WITH ORDINALITY k (attnum, n)
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum) || ')' AS key
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
    WHERE i.indisunique AND c.relnamespace = 'public'::regnamespace`
  await sql.close()
  return described(
    columns,
    keys.map(({ key }) => key),
  )
}

function described(columns: Column[], keys: string[]) {
  return {
    columns: columns
      .map(({ table, column, type, isNull }) => `${table}.${column} ${type} ${isNull ? "NULL" : ""}`)
      .sort(),
    keys: [...new Set(keys)].sort(),
  }
}
