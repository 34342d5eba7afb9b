import type { CompiledQuery, DialectAdapter, QueryResult } from "kysely"
import type { Db } from "./sqlite/connection.ts"
import type { RepeatedQuery } from "./sqlite/dialect.ts"

/**
 * Builds and compiles a query once, for queries that run often: building one costs more than running it in
 * SQLite. `build` writes `value("name")` where the value of that name goes.
 */
export function prepared<Values, Row = unknown>(
  build: (value: <Name extends keyof Values>(name: Name) => Values[Name]) => CompiledQuery<Row>,
): (db: Db, values: Values) => Promise<QueryResult<Row>> {
  const { compiled, parametersOf } = bound(build)
  return (db, values) => db.executeQuery<Row>({ ...compiled, parameters: parametersOf(values) })
}

/**
 * Like `prepared`, for many sets of values in one call within a transaction. Resolves to the number of rows
 * that each run changed. Saves the overhead of a Kysely call per set, which is of the order of the statement
 * itself.
 */
export function preparedForEach<Values>(
  build: (value: <Name extends keyof Values>(name: Name) => Values[Name]) => CompiledQuery,
): (db: Db, all: readonly Values[]) => Promise<number[]> {
  const { compiled, parametersOf } = bound<Values, unknown>(build)
  return async (db, all) => {
    if (all.length === 0) return []
    const repeated: RepeatedQuery = { ...compiled, each: all.map(parametersOf) }
    const { rows } = await db.executeQuery<number>(repeated)
    return rows
  }
}

function bound<Values, Row>(
  build: (value: <Name extends keyof Values>(name: Name) => Values[Name]) => CompiledQuery<Row>,
) {
  const compiled = build((name) => ({ [placeholder]: name }) as never)
  const names = compiled.parameters.map(nameOf<keyof Values>)
  const parametersOf = (values: Values): unknown[] =>
    compiled.parameters.map((constant, index) => {
      const name = names[index]
      return name === undefined ? constant : values[name]
    })
  return { compiled, parametersOf }
}

/**
 * Like `prepared`, for a module that receives its database with every call. The query is compiled once per
 * database; a transaction shares the query of its database, because it has the same adapter.
 */
export function preparedOnce<Values, Row = unknown>(
  build: (db: Db, value: <Name extends keyof Values>(name: Name) => Values[Name]) => CompiledQuery<Row>,
): (db: Db, values: Values) => Promise<QueryResult<Row>> {
  const runs = new WeakMap<DialectAdapter, ReturnType<typeof prepared<Values, Row>>>()
  return (db, values) => {
    const { adapter } = db.getExecutor()
    let run = runs.get(adapter)
    if (!run) {
      run = prepared<Values, Row>((value) => build(db, value))
      runs.set(adapter, run)
    }
    return run(db, values)
  }
}

const placeholder = Symbol("placeholder")

function nameOf<Name>(parameter: unknown): Name | undefined {
  return (parameter as { [placeholder]?: Name } | null)?.[placeholder]
}
