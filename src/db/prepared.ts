import type { CompiledQuery, QueryResult } from "kysely"
import type { AheadQuery, Db, RepeatedQuery } from "./connection.ts"
import { queryBuilder as postgresBuilder } from "./postgres/dialect.ts"
import { queryBuilder as sqliteBuilder } from "./sqlite/dialect.ts"
import { type Engine, engineOf } from "./words.ts"

/**
 * Builds and compiles a query once for each engine, for queries that run often: building one costs more than
 * running it in SQLite. `build` writes `value("name")` where the value of that name goes, and may build with its
 * second argument, which belongs to no database. The connection is named at each run.
 */
export function prepared<Values, Row = unknown>(
  build: Build<Values, Row>,
): (db: Db, values: Values) => Promise<QueryResult<Row>> {
  const statement = compiledOnce(build)
  return (db, values) => {
    const { compiled, parametersOf } = statement(db)
    return db.executeQuery<Row>({ ...compiled, parameters: parametersOf(values) })
  }
}

/**
 * Like `prepared`, for many sets of values in one call within a transaction. Resolves to the number of rows
 * that each run changed. Saves the overhead of a Kysely call per set, which is of the order of the statement
 * itself.
 */
export function preparedForEach<Values>(
  build: Build<Values, unknown>,
): (db: Db, all: readonly Values[]) => Promise<number[]> {
  const statement = compiledOnce(build)
  return async (db, all) => {
    if (all.length === 0) return []
    const { compiled, parametersOf } = statement(db)
    const repeated: RepeatedQuery = { ...compiled, each: all.map(parametersOf) }
    const { rows } = await db.executeQuery<number>(repeated)
    return rows
  }
}

/**
 * Like `prepared`, for a statement of a transaction whose result is not read: it costs no round trip. Outside a
 * transaction it could fail unseen.
 */
export function preparedAhead<Values>(
  build: Build<Values, unknown>,
): (db: Db, values: Values) => Promise<void> {
  const statement = compiledOnce(build)
  return async (db, values) => {
    const { compiled, parametersOf } = statement(db)
    const query: AheadQuery = { ...compiled, parameters: parametersOf(values), ahead: true }
    await db.executeQuery(query)
  }
}

type Build<Values, Row> = (
  value: <Name extends keyof Values>(name: Name) => Values[Name],
  builder: Db,
) => CompiledQuery<Row>

/** Compiles at the first run, when every module that the query is built from has been loaded. */
function compiledOnce<Values, Row>(build: Build<Values, Row>) {
  const statements: Partial<Record<Engine, ReturnType<typeof compile<Values, Row>>>> = {}
  return (db: Db) => {
    const engine = engineOf(db)
    statements[engine] ??= compile(build, builders[engine])
    return statements[engine]
  }
}

const builders: Record<Engine, Db> = { sqlite: sqliteBuilder, postgres: postgresBuilder }

function compile<Values, Row>(build: Build<Values, Row>, builder: Db) {
  const compiled = build((name) => ({ [placeholder]: name }) as never, builder)
  const names = compiled.parameters.map(placeholderName<keyof Values>)
  const boundParameters = (values: Values): unknown[] =>
    compiled.parameters.map((constant, index) => {
      const name = names[index]
      return name === undefined ? constant : values[name]
    })
  return { compiled, parametersOf: boundParameters }
}

const placeholder = Symbol("placeholder")

function placeholderName<Name>(parameter: unknown): Name | undefined {
  return (parameter as { [placeholder]?: Name } | null)?.[placeholder]
}
