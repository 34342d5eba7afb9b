import type { Database } from "bun:sqlite"
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely"
import type { Writer } from "./writer.ts"

/**
 * Kysely on bun:sqlite: what only reads goes to the reading connection, the rest through the writer,
 * transactions whole. `finish`: whether a write is done once it is on the disk, or is left to be written with
 * others.
 */
export function sqliteDialect(
  reading: Database,
  writing: Database,
  writer: Writer,
  finish: "commit" | "leave",
): Dialect {
  return {
    createAdapter: () => new GroupingAdapter(),
    createDriver: () => driver(reading, writing, writer, finish),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/**
 * Kysely would otherwise run one connection at a time, and there would never be two transactions to group.
 */
class GroupingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/**
 * A statement that is run once for each of these sets of parameters; gives how many rows each run changed.
 */
export interface RepeatedQuery extends CompiledQuery {
  each: readonly (readonly unknown[])[]
}

interface Connection extends DatabaseConnection {
  inTransaction: boolean
}

function driver(reading: Database, writing: Database, writer: Writer, finish: "commit" | "leave"): Driver {
  function connect(): Connection {
    const connection: Connection = {
      inTransaction: false,
      async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
        if (connection.inTransaction) return run<Row>(writing, query)
        if (query.query.kind === "SelectQueryNode") return run<Row>(reading, query)
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
      // An open cursor would show every other reader the database as it was when it was opened.
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
      // Kysely also rolls back what could not be committed: by then the writer is somebody else's.
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
