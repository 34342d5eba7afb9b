import type { Database } from "bun:sqlite"
import { setImmediate as yieldToEventLoop } from "node:timers/promises"
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  DummyDriver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely"
import type { RepeatedQuery } from "../connection.ts"
import type { Schema } from "../schema.ts"
import type { Writer } from "./writer.ts"

/** Builds and compiles queries, and runs none: it has no connection. */
export const queryBuilder = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

/**
 * Kysely dialect for bun:sqlite. Outside a transaction, a query that Kysely built uses the reading connection if it
 * is a SELECT, and the writer otherwise; a raw statement is refused, because its text does not tell which of the two
 * it needs. Every statement of a transaction goes through the writer. `finish` decides whether a write waits for the
 * disk (`commit`) or not.
 */
export function sqliteDialect(
  reading: Database,
  writing: Database,
  writer: Writer,
  finish: "commit" | "commitLazily",
): Dialect {
  return {
    createAdapter: () => new GroupingAdapter(),
    createDriver: () => driver(reading, writing, writer, finish),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** Without it Kysely uses one connection at a time, and there would never be two transactions to group. */
class GroupingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

interface Connection extends DatabaseConnection {
  inTransaction: boolean
}

/** A page may ask for hundreds of things: once reading took so long, others are served first. */
const tickMs = 10

/** Tells whether the tick of the event loop in which it is first asked has lasted `tickMs`. */
function openTurns(): () => boolean {
  let beganAtMs: number | undefined
  return () => {
    if (beganAtMs !== undefined) return performance.now() - beganAtMs > tickMs
    beganAtMs = performance.now()
    setImmediate(() => {
      beganAtMs = undefined
    })
    return false
  }
}

function driver(
  reading: Database,
  writing: Database,
  writer: Writer,
  finish: "commit" | "commitLazily",
): Driver {
  const isTurnOver = openTurns()

  function connect(): Connection {
    const connection: Connection = {
      inTransaction: false,
      async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
        if (connection.inTransaction) return run<Row>(writing, query)
        if (query.query.kind === "SelectQueryNode") {
          while (isTurnOver()) await yieldToEventLoop()
          return run<Row>(reading, query)
        }
        if (query.query.kind === "RawNode") throw new Error("a raw statement runs in a transaction")
        await writer.begin()
        let result: QueryResult<Row>
        try {
          result = run<Row>(writing, query)
        } catch (error) {
          writer.rollback()
          throw error
        }
        await writer[finish]()
        return result
      },
      // The reading connection is shared: an open cursor would pin its snapshot for every other reader.
      streamQuery() {
        throw new Error("read in parts by id, as csv.ts does")
      },
    }
    return connection
  }

  return {
    async init() {},
    async acquireConnection() {
      return connect()
    },
    async beginTransaction(connection) {
      await writer.begin()
      ;(connection as Connection).inTransaction = true
    },
    async commitTransaction(connection) {
      ;(connection as Connection).inTransaction = false
      await writer[finish]()
    },
    async rollbackTransaction(connection) {
      // Kysely also rolls back after a failed commit, when the writer already belongs to the next caller.
      if (!(connection as Connection).inTransaction) return
      ;(connection as Connection).inTransaction = false
      writer.rollback()
    },
    async releaseConnection() {},
    async destroy() {},
  }
}

function run<Row>(database: Database, query: CompiledQuery | RepeatedQuery): QueryResult<Row> {
  const statement = database.query(query.sql)
  if ("each" in query)
    return { rows: query.each.map((each) => statement.run(...bindings(each)).changes) as Row[] }
  if (statement.columnNames.length > 0) return { rows: statement.all(...bindings(query.parameters)) as Row[] }
  const { changes, lastInsertRowid } = statement.run(...bindings(query.parameters))
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
}

function bindings(parameters: readonly unknown[]) {
  return parameters as (string | number | bigint | null | Uint8Array)[]
}
