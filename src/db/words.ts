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

/**
 * Whether a row of `<name>_text` stands in a scope and has, for each of `beginnings`, a word that begins with it.
 * The words are letters and digits alone.
 */
export function matchesWords(
  db: Db,
  name: "form_response",
  scope: string,
  beginnings: readonly string[],
): RawBuilder<boolean> {
  if (engineOf(db) === "sqlite") {
    const wanted = `scope : "${scope}" AND text : (${beginnings.map((word) => `"${word}" *`).join(" AND ")})`
    const search = sql.table(`${name}_search`)
    return sql`${sql.ref(`${name}_text.number`)} IN (SELECT rowid FROM ${search} WHERE ${search} MATCH ${wanted})`
  }
  const wanted = [scope, ...beginnings.map((word) => `${word}:*`)].join(" & ")
  // As an array, for which the index of words is read first: PostgreSQL would walk all rows by their number else.
  const text = sql.table(`${name}_text`)
  return sql`${sql.ref(`${name}_text.number`)} = ANY (ARRAY(SELECT number FROM ${text}
    WHERE to_tsvector('simple', scope || ' ' || text) @@ to_tsquery('simple', ${wanted})))`
}

interface Lockable {
  forUpdate(): this
}

/**
 * Locks the rows that a query of a transaction reads, until its end: whoever changes them meanwhile is waited for,
 * and what the query returns is what they left. In SQLite nobody changes anything meanwhile.
 */
export function lockingRows(db: Db) {
  return <Query extends Lockable>(query: Query): Query =>
    engineOf(db) === "sqlite" ? query : query.forUpdate()
}
