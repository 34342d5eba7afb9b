import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  DummyDriver,
  HandleEmptyInListsPlugin,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  replaceWithNoncontingentExpression,
} from "kysely"
import type { AheadQuery, RepeatedQuery } from "../connection.ts"
import type { Schema } from "../schema.ts"
import { type Client, connectionClosed, type Rows } from "./client.ts"
import { padInLists } from "./pad-in-lists.ts"
import type { Pool } from "./pool.ts"

export const plugins = [
  /** `IN ()` is an error in PostgreSQL; SQLite takes it for false. */
  new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression }),
  padInLists(),
]

/** Builds and compiles queries, and runs none: it has no connection. */
export const queryBuilder = new Kysely<Schema>({ dialect: dialect(() => new DummyDriver()), plugins })

/** Kysely dialect for Bun's PostgreSQL client. Each query outside a transaction takes a connection for itself. */
export function postgresDialect(pool: Pool): Dialect {
  return dialect(() => driver(pool))
}

function dialect(createDriver: () => Driver): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver,
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

interface Connection extends DatabaseConnection {
  client: Client
  /** The pool has the client again: another one could not be had in its place. */
  isGivenBack: boolean
  isInTransaction: boolean
  /** Error of a statement that was sent ahead. Whatever follows it in the transaction fails. */
  failure: unknown
}

function driver(pool: Pool): Driver {
  return {
    async init() {},
    async acquireConnection() {
      return openConnection(pool, await pool.take())
    },
    async beginTransaction(connection) {
      const transaction = connection as Connection
      const { client } = transaction
      transaction.isInTransaction = true
      // Sent together with the first statement: one round trip less. A failure is that statement's too.
      client.run("BEGIN", []).catch(() => client.close())
    },
    async commitTransaction(connection) {
      const transaction = connection as Connection
      const { command } = await transaction.client.run("COMMIT", [])
      // A statement failed, and the caller went on: the server has undone everything.
      if (command !== "COMMIT")
        throw transaction.failure ?? new Error("the transaction had failed before its end")
    },
    async rollbackTransaction(connection) {
      const { client } = connection as Connection
      // Whatever keeps it from rolling back, the server does so when the connection ends.
      await client.run("ROLLBACK", []).catch(() => client.close())
    },
    async releaseConnection(connection) {
      const { client, isGivenBack } = connection as Connection
      if (!isGivenBack) pool.giveBack(client)
    },
    async destroy() {
      pool[Symbol.dispose]()
    },
  }
}

function openConnection(pool: Pool, client: Client): Connection {
  const connection: Connection = {
    client,
    isGivenBack: false,
    isInTransaction: false,
    failure: undefined,
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      try {
        return await execute<Row>(connection, query)
      } catch (error) {
        if (!wasCutShort(error, connection) || !isRepeatable(connection, query)) throw error
        await replaceClient(pool, connection)
        return execute<Row>(connection, query)
      }
    },
    streamQuery() {
      throw new Error("read in parts by id, as csv.ts does")
    },
  }
  return connection
}

/** The server was stopped, or told to end the connection. It says so before it does. */
const adminShutdown = "57P01"

/**
 * When PostgreSQL restarts, all connections of a node end at once, and those of the next node that is asked too. A
 * server that is silent would be waited for twice.
 */
function wasCutShort(error: unknown, { client }: Connection): boolean {
  return (client.isClosed && !client.isOverdue) || (error as { errno?: unknown }).errno === adminShutdown
}

/** A statement of its own that changes nothing. */
function isRepeatable({ isInTransaction }: Connection, { query }: CompiledQuery): boolean {
  return !isInTransaction && query.kind === "SelectQueryNode"
}

async function replaceClient(pool: Pool, connection: Connection): Promise<void> {
  connection.client.close()
  pool.giveBack(connection.client)
  connection.isGivenBack = true
  connection.client = await pool.take()
  connection.isGivenBack = false
}

async function execute<Row>(connection: Connection, query: CompiledQuery): Promise<QueryResult<Row>> {
  const { client } = connection
  if (client.isClosed) throw connection.failure ?? connectionClosed("the connection was lost")
  if ("ahead" in query) return sendAhead(connection, query as AheadQuery)
  try {
    return await ("each" in query ? runEach(client, query as RepeatedQuery) : run<Row>(client, query))
  } catch (error) {
    throw connection.failure ?? error
  }
}

function sendAhead(connection: Connection, query: AheadQuery): QueryResult<never> {
  run(connection.client, query).catch((error) => {
    connection.failure ??= error
  })
  return { rows: [] }
}

async function run<Row>(client: Client, { sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
  const rows = await client.run(sql, parameters.map(sendable))
  const count = BigInt(rows.count ?? 0)
  return { rows: asStored(rows) as Row[], numAffectedRows: count }
}

/** All at once: the server runs them one after the other without a round trip between them. */
async function runEach<Row>(client: Client, { sql, each }: RepeatedQuery): Promise<QueryResult<Row>> {
  const results = await Promise.all(each.map((parameters) => client.run(sql, parameters.map(sendable))))
  return { rows: results.map(({ count }) => count) as Row[] }
}

/** PostgreSQL refuses NUL in a text, which means nothing to a reader. */
function sendable(parameter: unknown): unknown {
  if (typeof parameter === "string" && parameter.includes("\0")) return parameter.replaceAll("\0", "\ufffd")
  return parameter === undefined ? null : parameter
}

/** Numbers as SQLite gives them: every integer of the schema fits a number, and a condition is 0 or 1. */
function asStored(rows: Rows): Record<string, unknown>[] {
  for (const row of rows)
    for (const name in row) {
      const value = row[name]
      if (typeof value === "bigint" || typeof value === "boolean") row[name] = Number(value)
    }
  // Without the client's own properties of the array.
  return [...rows]
}
