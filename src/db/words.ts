import { type RawBuilder, SqliteAdapter, sql } from "kysely"
import type { Db } from "./connection.ts"

/** The SQL that differs between the two engines, for statements that are otherwise the same. */

export type Engine = "sqlite" | "postgres"

/** The engine of a database, of a transaction, or of the builder that `prepared` hands out. */
export function engineOf(db: Db): Engine {
  return db.getExecutor().adapter instanceof SqliteAdapter ? "sqlite" : "postgres"
}

/** A column, in a condition for which SQLite is not to choose an index: it would choose a worse one. */
export function unindexed(db: Db, column: string): RawBuilder<unknown> {
  return engineOf(db) === "sqlite" ? sql`+${sql.ref(column)}` : sql`${sql.ref(column)}`
}

/** The texts of a JSON array, for `in`. */
export function eachOf(db: Db, json: string): RawBuilder<string> {
  return engineOf(db) === "sqlite"
    ? sql`(SELECT value FROM json_each(${json}))`
    : sql`(SELECT json_array_elements_text((${json}::text)::json))`
}

/** The objects of a JSON array, as rows of one column `value`, for `from`. Each field is read by `->>`. */
export function eachObject(db: Db, json: string): RawBuilder<unknown> {
  return engineOf(db) === "sqlite"
    ? sql`json_each(${json})`
    : sql`json_array_elements((${json}::text)::json) AS value`
}

/** Whether a column contains a text, letter by letter. */
export function contains(db: Db, column: string, text: string): RawBuilder<boolean> {
  const position = engineOf(db) === "sqlite" ? sql`instr` : sql`strpos`
  return sql`${position}(${sql.ref(column)}, ${text}) > 0`
}

interface Lockable {
  forUpdate(): this
}

/**
 * Locks the rows that a query of a transaction reads, until its end: a transaction that changes them is waited for,
 * and the query returns what it left. SQLite has one writer at a time anyway.
 */
export function lockingRows(db: Db) {
  return <Query extends Lockable>(query: Query): Query =>
    engineOf(db) === "sqlite" ? query : query.forUpdate()
}
