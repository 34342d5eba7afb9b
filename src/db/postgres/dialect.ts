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
  /** Error of a statement that was sent ahead. Whatever follows it in the transaction fails. */
  failure: unknown
}

function driver(pool: Pool): Driver {
  return {
    async init() {},
    async acquireConnection() {
      return connectionOf(await pool.take())
    },
    async beginTransaction(connection) {
      const { client } = connection as Connection
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
      pool.giveBack((connection as Connection).client)
    },
    async destroy() {
      pool[Symbol.dispose]()
    },
  }
}

function connectionOf(client: Client): Connection {
  const connection: Connection = {
    client,
    failure: undefined,
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      if (client.isClosed) throw connection.failure ?? connectionClosed("the connection was lost")
      if ("ahead" in query) return sendAhead(connection, query as AheadQuery)
      try {
        return await ("each" in query ? runEach(client, query as RepeatedQuery) : run<Row>(client, query))
      } catch (error) {
        throw connection.failure ?? error
      }
    },
    streamQuery() {
      throw new Error("read in parts by id, as csv.ts does")
    },
  }
  return connection
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
