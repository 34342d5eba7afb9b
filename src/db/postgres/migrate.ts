import { hourMs, secondMs } from "../../base/clock.ts"
import { Refusal, UsageError } from "../../base/errors.ts"
import { type Client, openClient, type Server, statementTimeoutMs } from "./client.ts"
import { explainError } from "./explain-error.ts"
import { lockKey } from "./lock.ts"
import { archives } from "./migrations/0020-archives.ts"
import { nodes } from "./migrations/0021-nodes.ts"
import { widget } from "./migrations/0022-widget.ts"
import { formPages } from "./migrations/0023-form-pages.ts"
import { destinations } from "./migrations/0024-destinations.ts"
import { inbox } from "./migrations/0025-inbox.ts"
import { questions } from "./migrations/0026-questions.ts"
import { pagePatterns } from "./migrations/0027-page-patterns.ts"
import { erasable } from "./migrations/0028-erasable.ts"
import { htmlNotes } from "./migrations/0029-html-notes.ts"
import { retention } from "./migrations/0030-retention.ts"
import { gaps } from "./migrations/0031-gaps.ts"
import { accounts } from "./migrations/baseline/accounts.ts"
import { assistant } from "./migrations/baseline/assistant.ts"
import { forms } from "./migrations/baseline/forms.ts"
import { webhooks } from "./migrations/baseline/webhooks.ts"

/** The schema that the first 19 steps of SQLite end in. Frozen, like every step. */
const baseline = [accounts, assistant, forms, webhooks].join("\n")
const baselineVersion = 19

/**
 * In order, one for each step of SQLite after the 19th. A published step is never edited or moved; a new one
 * follows. `test/db/postgres/migrate.test.ts` compares the schemas of the two engines.
 */
const laterSteps: readonly string[] = [
  archives,
  nodes,
  widget,
  formPages,
  destinations,
  inbox,
  questions,
  pagePatterns,
  erasable,
  htmlNotes,
  retention,
  gaps,
]

export interface Step {
  /** Version of the database afterwards. */
  version: number
  sql: string
}

export const steps: readonly Step[] = [
  { version: baselineVersion, sql: baseline },
  ...laterSteps.map((sql, index) => ({ version: baselineVersion + index + 1, sql })),
]

/** The oldest server whose SQL is written here. */
const oldestServer = 14

/**
 * Every process begins with a look at the version, and one that hangs there would keep its place among the child
 * processes: neither the look nor a step waits for ever.
 */
export interface MigrateTimes {
  lookMs: number
  /** Of one step. It may fill an index of a large table. */
  stepMs: number
}

/** The one who waits says what for, instead of hanging for as long as a migration takes. */
const lockTimeoutMs = 10 * secondMs

const usualTimes: MigrateTimes = { lookMs: statementTimeoutMs, stepMs: hourMs }

/**
 * Migrates the database to this program's version, in one transaction. Throws UsageError for a server that is
 * too old and for a database written by a newer program; throws Refusal while services of an older one work with
 * it, and while another program migrates it for longer than `lockTimeoutMs`.
 */
export async function migrate(
  server: Server,
  wanted: readonly Step[] = steps,
  { lookMs, stepMs }: MigrateTimes = usualTimes,
): Promise<{ from: number; to: number }> {
  const to = wanted.at(-1)?.version ?? 0
  try {
    if ((await withClient(server, lookMs, presentVersion)) === to) return { from: to, to }
    return await withClient(server, stepMs, async (client) => {
      await client.run("BEGIN", [])
      const migrated = await applySteps(client, wanted)
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

/** Throws UsageError when a newer program than one of this version has migrated the database. */
export function refuseNewer(server: Server, version: number): Promise<number> {
  return withClient(server, statementTimeoutMs, (client) => knownVersion(client, version))
}

/** Throws UsageError for a database that is later than `to`. */
async function knownVersion(client: Client, to: number): Promise<number> {
  const version = await storedVersion(client)
  if (version > to)
    throw new UsageError(
      `the PostgreSQL database was written by a newer Guichet (database version ${version}, this program knows ${to}): install that version again`,
    )
  return version
}

/** Within a transaction of the client, in the schema that is first on its search path. */
export async function applySteps(
  client: Client,
  wanted: readonly Step[] = steps,
): Promise<{ from: number; to: number }> {
  await requireServer(client)
  // Nodes that start together take turns.
  await client.run(`SET LOCAL lock_timeout = ${lockTimeoutMs}`, [])
  await client.run("SELECT pg_advisory_xact_lock($1)", [lockKey("migration")])
  await client.run("SET LOCAL lock_timeout = 0", [])
  await client.run("CREATE TABLE IF NOT EXISTS schema_version (version bigint NOT NULL)", [])
  const to = wanted.at(-1)?.version ?? 0
  const from = await knownVersion(client, to)
  if (from === to) return { from, to }
  if (from > 0 && !(await isUnused(client, from)))
    throw new Refusal("unavailable", "", {
      reason:
        "services of an older Guichet work with the PostgreSQL database: stop every one of them, then start this version",
    })
  for (const { version, sql } of wanted) if (version > from) await client.run(sql, [])
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
