import { type CompiledQuery, type RawBuilder, type SqlBool, sql } from "kysely"
import { openBatch, perDatabase } from "./batch.ts"
import type { Db } from "./connection.ts"
import { prepared } from "./prepared.ts"
import { engineOf } from "./words.ts"

/** A row, and the key that it was found by. */
type Keyed<Row> = Row & { key: string }

/** Condition on the column of the key, for `where`. */
type IsWanted = (column: string) => RawBuilder<SqlBool>

/**
 * Prepares a query of the rows of one key, with the key as a column `key`, for what nearly every request asks.
 * PostgreSQL answers for all requests of a moment at once: one round trip instead of many. Each call sees what was
 * committed before it.
 */
export function lookup<Row>(
  build: (isWanted: IsWanted, builder: Db) => CompiledQuery<Keyed<Row>>,
): (db: Db, key: string) => Promise<Row[]> {
  const ofOne = prepared<{ key: string }, Keyed<Row>>((value, db) =>
    build((column) => sql`${sql.ref(column)} = ${value("key")}`, db),
  )
  const ofMany = prepared<{ keys: string }, Keyed<Row>>((value, db) =>
    // As an array, which the planner knows to be short.
    build(
      (column) =>
        sql`${sql.ref(column)} = ANY (ARRAY (SELECT json_array_elements_text((${value("keys")}::text)::json)))`,
      db,
    ),
  )
  const batchForDatabase = perDatabase((db: Db) =>
    openBatch<string, Row[]>(async (keys) => {
      const { rows } = await ofMany(db, { keys: JSON.stringify([...new Set(keys)]) })
      const rowsByKey = Map.groupBy(rows, ({ key }) => key)
      return keys.map((key) => ({ result: rowsByKey.get(key) ?? [] }))
    }),
  )
  return async (db, key) => {
    if (engineOf(db) === "sqlite" || db.isTransaction) return (await ofOne(db, { key })).rows
    return batchForDatabase(db)(key)
  }
}
