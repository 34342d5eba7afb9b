import { minuteMs } from "../../base/clock.ts"
import { Refusal, UsageError } from "../../base/errors.ts"
import { versions } from "../migrations/versions.ts"
import {
  jsonValue,
  lastQuery,
  type Page,
  pageQuery,
  portable,
  quoted,
  type Row,
  type Source,
  type Table,
  type Target,
  type Value,
} from "../move/side.ts"
import { type Client, openClient, type Server } from "./client.ts"
import { explainError } from "./explain-error.ts"
import { lockKey } from "./lock.ts"
import { applySteps } from "./migrate.ts"
import { refuseServices } from "./version-lock.ts"

/** The copy grows in a schema of its own, where no service looks for tables. */
const copySchema = "guichet_move"
const version = versions.postgres.current
/** Time limit of one statement: a batch, or the last one, which renames. */
const statementTimeoutMs = 10 * minuteMs

/**
 * Locks the tables against writing, and against the start of a service. Throws Refusal `conflict` while a service
 * or a command works with them.
 */
export async function openSource(server: Server, tables: readonly Table[]): Promise<Source> {
  const lock = await refuseServices(server, version)
  if (!lock)
    throw new Refusal("conflict", "", {
      reason: "a service works with the PostgreSQL database: stop every node first (systemctl stop guichet)",
    })
  try {
    const client = await open(server)
    await client.run("BEGIN", [])
    await client.run("SET LOCAL lock_timeout = 5000", [])
    const names = tables.map(({ name }) => quoted(name)).join(", ")
    await client.run(`LOCK TABLE ${names} IN SHARE MODE`, []).catch((error) => {
      client.close()
      if ((error as { errno?: string }).errno !== "55P03") throw error
      throw new Refusal("conflict", "", {
        reason: "a command writes to the PostgreSQL database: wait until it has ended",
        cause: error,
      })
    })
    return {
      ...reading(async () => client, ""),
      async [Symbol.asyncDispose]() {
        client.close()
        await lock[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await lock[Symbol.asyncDispose]()
    throw explainError(error)
  }
}

export async function openTarget(server: Server): Promise<Target> {
  const client = await open(server).catch((error) => {
    throw explainError(error)
  })
  try {
    const [row] = await client.run("SELECT pg_try_advisory_lock($1) AS taken", [lockKey("move")])
    if (row?.["taken"] !== true)
      throw new Refusal("conflict", "", { reason: "another move to this PostgreSQL database is under way" })
    const [place] = await client.run("SELECT current_schema() AS schema", [])
    if (typeof place?.["schema"] !== "string")
      throw new UsageError("--to: the user of the PostgreSQL database has no schema there (search_path)")
    return targetInSchema(client, place["schema"], await isPublished(client))
  } catch (error) {
    client.close()
    throw explainError(error)
  }
}

function targetInSchema(client: Client, schema: string, isPublished: boolean): Target {
  const copy = `${copySchema}.`
  let isReady = false

  async function ready(): Promise<Client> {
    if (isReady) return client
    await inTransaction(client, async () => {
      await client.run(`CREATE SCHEMA IF NOT EXISTS ${copySchema}`, [])
      await client.run(`SET LOCAL search_path TO ${copySchema}`, [])
      await applySteps(client)
    })
    isReady = true
    return client
  }

  async function insertInto({ name, columns }: Table, rows: readonly Row[]): Promise<void> {
    const names = columns.map(quoted).join(", ")
    const table = copy + quoted(name)
    const objects = rows.map((row) =>
      Object.fromEntries(portable(row).map((value, index) => [columns[index], jsonValue(value)])),
    )
    await client.run(
      `INSERT INTO ${table} (${names}) OVERRIDING SYSTEM VALUE
       SELECT ${names} FROM json_populate_recordset(NULL::${table}, ($1::text)::json)`,
      [JSON.stringify(objects)],
    )
  }

  return {
    published: isPublished
      ? { ...reading(async () => client, ""), [Symbol.asyncDispose]: async () => {} }
      : undefined,
    ...reading(ready, copy),
    async clear() {
      await client.run(`DROP SCHEMA IF EXISTS ${copySchema} CASCADE`, [])
      isReady = false
    },
    insert: insertInto,
    async replace(table, rows) {
      await ready()
      await inTransaction(client, async () => {
        await client.run(`DELETE FROM ${copy}${quoted(table.name)}`, [])
        if (rows.length > 0) await insertInto(table, rows)
      })
    },
    publish: () => publish(client, schema),
    async [Symbol.asyncDispose]() {
      client.close()
    },
  }
}

/** Moves the tables to where services look for them, all at once. Numbers that the server gives go on. */
async function publish(client: Client, schema: string): Promise<void> {
  await inTransaction(client, async () => {
    // A service that starts at this moment makes its tables before, or finds these.
    await client.run("SELECT pg_advisory_xact_lock($1)", [lockKey("migration")])
    await requireEmpty(client)
    const numbered = await client.run(
      "SELECT table_name AS name, column_name AS key FROM information_schema.columns WHERE table_schema = $1 AND is_identity = 'YES'",
      [copySchema],
    )
    for (const row of numbered) {
      const [name, key] = [String(row["name"]), String(row["key"])]
      const table = `${copySchema}.${quoted(name)}`
      await client.run(
        `SELECT setval(pg_get_serial_sequence($1, $2), coalesce(max(${quoted(key)}), 0) + 1, false) FROM ${table}`,
        [table, key],
      )
    }
    const tables = await client.run("SELECT tablename AS name FROM pg_tables WHERE schemaname = $1", [
      copySchema,
    ])
    for (const { name } of tables)
      await client.run(`ALTER TABLE ${copySchema}.${quoted(String(name))} SET SCHEMA ${quoted(schema)}`, [])
    await client.run(`DROP SCHEMA ${copySchema}`, [])
  })
  // Without statistics the first queries would read whole tables.
  await client.run("ANALYZE", [])
}

/** Whether tables of this program's version stand where services look for them. Throws for any others. */
async function isPublished(client: Client): Promise<boolean> {
  const [row] = await client.run("SELECT to_regclass('schema_version') IS NOT NULL AS found", [])
  if (row?.["found"] !== true) {
    await requireEmpty(client)
    return false
  }
  const [stored] = await client.run("SELECT version FROM schema_version", [])
  if (Number(stored?.["version"]) !== version)
    throw new Refusal("conflict", "", {
      reason: "the PostgreSQL database holds tables of another version: nothing is overwritten",
    })
  return true
}

async function requireEmpty(client: Client): Promise<void> {
  const [table] = await client.run(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() LIMIT 1",
    [],
  )
  if (table)
    throw new Refusal("conflict", "", {
      reason: `the PostgreSQL database holds other data (the table ${table["name"]}), and nothing is overwritten: make a new one`,
    })
}

async function open(server: Server): Promise<Client> {
  const client = await openClient(server, { isRelaxed: false, statementTimeoutMs })
  // The other database may take its time between two statements.
  await client.run("SET idle_in_transaction_session_timeout = 0", [])
  return client
}

async function inTransaction(client: Client, work: () => Promise<void>): Promise<void> {
  await client.run("BEGIN", [])
  try {
    await work()
  } catch (error) {
    await client.run("ROLLBACK", []).catch(() => client.close())
    throw error
  }
  await client.run("COMMIT", [])
}

function reading(ready: () => Promise<Client>, schema: string) {
  return {
    async read(table: Table, page: Page): Promise<Row[]> {
      const { sql, parameters } = pageQuery(table, page, schema, (number) => `$${number}`)
      const rows = await (await ready()).run(sql, parameters)
      return rows.map((row) => toRow(row, table.columns))
    },
    async count({ name }: Table): Promise<number> {
      const [row] = await (await ready()).run(`SELECT count(*) AS rows FROM ${schema}${quoted(name)}`, [])
      return Number(row?.["rows"])
    },
    async last(table: Table): Promise<Row | undefined> {
      const [row] = await (await ready()).run(lastQuery(table, schema), [])
      return row && toRow(row, table.columns)
    },
  }
}

function toRow(row: Record<string, unknown>, columns: readonly string[]): Row {
  return columns.map((column) => {
    const value = row[column]
    return typeof value === "bigint" ? Number(value) : (value as Value)
  })
}
