import { hourMs, secondMs } from "../../base/clock.ts"
import { Refusal, UsageError } from "../../base/errors.ts"
import type { Migrated } from "../connection.ts"
import { requireKnown, stepsFrom, type Versions, versions } from "../migrations/versions.ts"
import { type Client, openClient, type Server, statementTimeoutMs } from "./client.ts"
import { explainError } from "./explain-error.ts"
import { lockKey } from "./lock.ts"

/** The oldest server whose SQL is written here. */
const oldestServer = 14

/**
 * Every process begins with a look at the version, and one that hangs there would keep its place among the child
 * processes: neither the look nor a step waits for ever.
 */
export interface MigrateTimes {
  lookMs: number
  /** Time limit of one step, which may fill an index of a large table. */
  stepMs: number
}

/** The one who waits says what for, instead of hanging for as long as a migration takes. */
const lockTimeoutMs = 10 * secondMs

const usualTimes: MigrateTimes = { lookMs: statementTimeoutMs, stepMs: hourMs }

/**
 * Migrates the database to this program's version, in one transaction. Throws UsageError for a server that is
 * too old, for a database written by a newer program and for one that is too old itself; throws Refusal while
 * services of an older one work with it, and while another program migrates it for longer than `lockTimeoutMs`.
 */
export async function migrate(
  server: Server,
  known: Versions = versions.postgres,
  { lookMs, stepMs }: MigrateTimes = usualTimes,
): Promise<Migrated> {
  const to = known.current
  try {
    if ((await withClient(server, lookMs, presentVersion)) === to) return { from: to, to }
    return await withClient(server, stepMs, async (client) => {
      await client.run("BEGIN", [])
      const migrated = await applySteps(client, known)
      await client.run("COMMIT", [])
      return migrated
    })
  } catch (error) {
    throw explainError(error)
  }
}

export async function withClient<Result>(
  server: Server,
  statementTimeoutMs: number,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await openClient(server, { isRelaxed: false, statementTimeoutMs })
  try {
    return await work(client)
  } finally {
    client.close()
  }
}

/** 0 for a database without tables. */
async function presentVersion(client: Client): Promise<number> {
  await requireServer(client)
  const [table] = await client.run("SELECT to_regclass('schema_version') IS NOT NULL AS found", [])
  if (table?.["found"] !== true) return 0
  return storedVersion(client)
}

async function storedVersion(client: Client): Promise<number> {
  const [row] = await client.run("SELECT version FROM schema_version", [])
  return Number(row?.["version"] ?? 0)
}

const database = "the PostgreSQL database"

/** Throws UsageError when a newer program than one of this version has migrated the database. */
export function refuseNewer(server: Server, version: number): Promise<void> {
  return withClient(server, statementTimeoutMs, async (client) =>
    requireKnown(await storedVersion(client), version, database),
  )
}

/** Within a transaction of the client, in the schema that is first on its search path. */
export async function applySteps(client: Client, known: Versions = versions.postgres): Promise<Migrated> {
  await requireServer(client)
  // Nodes that start together take turns.
  await client.run(`SET LOCAL lock_timeout = ${lockTimeoutMs}`, [])
  await client.run("SELECT pg_advisory_xact_lock($1)", [lockKey("migration")])
  await client.run("SET LOCAL lock_timeout = 0", [])
  await client.run("CREATE TABLE IF NOT EXISTS schema_version (version bigint NOT NULL)", [])
  const from = await storedVersion(client)
  const [steps, to] = [stepsFrom(known, from, database), known.current]
  if (steps.length === 0) return { from, to }
  if (from > 0 && !(await isUnused(client, from)))
    throw new Refusal("unavailable", "", {
      reason:
        "services of an older Guichet work with the PostgreSQL database: stop every one of them, then start this version",
    })
  for (const { sql } of steps) await client.run(sql, [])
  await client.run("DELETE FROM schema_version", [])
  await client.run("INSERT INTO schema_version VALUES ($1)", [to])
  return { from, to }
}

async function requireServer(client: Client): Promise<void> {
  const [row] = await client.run(
    "SELECT current_setting('server_version_num')::int / 10000 AS version, current_setting('server_encoding') AS encoding",
    [],
  )
  const version = Number(row?.["version"])
  if (version < oldestServer)
    throw new UsageError(
      `GUICHET_DATABASE_URL: PostgreSQL ${version} is too old, ${oldestServer} or later is needed`,
    )
  if (row?.["encoding"] !== "UTF8")
    throw new UsageError(
      `GUICHET_DATABASE_URL: the database has the encoding ${row?.["encoding"]}: make one with ENCODING 'UTF8' TEMPLATE template0`,
    )
}

/** Whether no service holds the lock of this version: see `holdVersionLock`. */
async function isUnused(client: Client, version: number): Promise<boolean> {
  const [row] = await client.run("SELECT pg_try_advisory_xact_lock($1) AS taken", [
    lockKey(versionLockName(version)),
  ])
  return row?.["taken"] === true
}

export function versionLockName(version: number): string {
  return `service-${version}`
}
