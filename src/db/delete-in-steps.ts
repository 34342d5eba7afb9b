import {
  type Expression,
  type ExpressionBuilder,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from "kysely"
import { idsOf } from "../base/ids.ts"
import type { Db } from "./connection.ts"
import { belongingsOf, type Schema, type TableName, tables } from "./schema.ts"
import { inSteps, type WeighedRow } from "./steps.ts"

/**
 * Deletes the rows of a table that meet a condition, in steps. What refers to such a row goes with it: there must be
 * little of it, or `deleteBelongings` comes first. Resolves to the number of rows.
 */
export async function deleteInSteps<Table extends TableName>(
  db: Db,
  table: Table,
  condition: (row: ExpressionBuilder<Schema, Table>) => Expression<SqlBool>,
): Promise<number> {
  return deleteRows(db, table, (rows) => selectFromAny(rows, table).where(condition as never))
}

/** Rows of one table whose belongings are deleted together. */
const maxParents = 200

/**
 * Deletes whatever would go with these rows of a table, the furthest first, except the tables `but`. The rows
 * themselves stay: only what comes meanwhile is left to go with them.
 */
export async function deleteBelongings(
  db: Db,
  table: TableName,
  ids: readonly unknown[],
  but: readonly TableName[] = [],
): Promise<void> {
  for (const { table: child, column } of belongingsOf(table).filter((each) => !but.includes(each.table))) {
    const those = (rows: Db) => selectFromAny(rows, child).where(sql.ref(column), "in", ids)
    for (let found = await someKeys(db, child, those); found.length > 0; ) {
      await deleteBelongings(db, child, found, but)
      await deleteRows(db, child, (rows) =>
        selectFromAny(rows, child).where(sql.ref(tables[child].key[0] as string), "in", found),
      )
      found = await someKeys(db, child, those)
    }
    await deleteRows(db, child, those)
  }
}

/** The bytes of these columns together. Engines read only the lengths. */
export function bytesOf(...columns: string[]): RawBuilder<number> {
  const lengths = columns.map((column) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`)
  return sql`${sql.join([sql.lit(0), ...lengths], sql` + `)}`
}

type Rows = SelectQueryBuilder<Schema, "answer", object>

/** Types every table as one of them: which columns there are is read from its declaration. */
function selectFromAny(db: Db, table: TableName): Rows {
  return db.selectFrom(table as "answer")
}

/** Keys of the first rows; none where nothing belongs to them. */
async function someKeys(db: Db, table: TableName, those: (db: Db) => Rows): Promise<unknown[]> {
  if (belongingsOf(table).length === 0) return []
  const rows = await those(db)
    .select(sql`${sql.ref(tables[table].key[0] as string)}`.as("id"))
    .limit(maxParents)
    .execute()
  return idsOf(rows)
}

/** Words of both engines. No bytes are a key. */
const keyTypes = { text: "text", integer: "bigint", serial: "bigint", real: "double precision" } as const

function deleteRows(db: Db, table: TableName, those: (db: Db) => Rows): Promise<number> {
  const { key, columns } = tables[table]
  const keyType = (column: string) => sql.raw(keyTypes[columns[column]?.type as keyof typeof keyTypes])
  const sized = Object.keys(columns).filter((name) => /^(text|bytes)$/.test(columns[name]?.type ?? ""))
  return inSteps<WeighedRow & Record<string, unknown>>(
    db,
    (transaction, atMost) =>
      those(transaction)
        .select(key.map((column) => sql`${sql.ref(column)}`.as(column)))
        .select(bytesOf(...sized).as("bytes"))
        .limit(atMost)
        .execute(),
    async (transaction, rows) => {
      const keys = rows.map((row) =>
        sql.join(key.map((column) => sql`CAST(${row[column]} AS ${keyType(column)})`)),
      )
      // As rows: PostgreSQL may look for each of them by the worse index where they are joined by OR.
      await sql`
        DELETE FROM ${sql.table(table)}
        WHERE (${sql.join(key.map((column) => sql.ref(column)))}) IN (VALUES (${sql.join(keys, sql`), (`)}))`.execute(
        transaction,
      )
    },
  )
}
