import { sql } from "kysely"
import type { Db } from "./connection.ts"
import type { Schema } from "./schema.ts"
import { engineOf } from "./words.ts"

export type TableName = keyof Schema

/** A table as the database itself describes it. */
export interface TableShape {
  /** Columns of the primary key, in order. */
  key: string[]
  /** Columns that hold texts or bytes. */
  sized: string[]
  /** The tables whose rows go with a row of this one, each with the column that names it. */
  belongings: { table: TableName; column: string }[]
}

/** To be called in a transaction. */
export async function shapeOf(transaction: Db, table: TableName): Promise<TableShape> {
  const { columns, belongings } = statements[engineOf(transaction)](table)
  const { rows } = await columns.execute(transaction)
  const inKey = rows.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk)
  return {
    key: inKey.map(({ name }) => name),
    sized: rows.filter(({ type }) => /^(text|blob|bytea)$/i.test(type)).map(({ name }) => name),
    belongings: (await belongings.execute(transaction)).rows,
  }
}

type Column = { name: string; type: string; pk: number }
type Belonging = TableShape["belongings"][number]

const statements = {
  sqlite: (table: string) => ({
    columns: sql<Column>`SELECT name, type, pk FROM pragma_table_info(${table})`,
    belongings: sql<Belonging>`
      SELECT child.name AS "table", reference."from" AS "column"
      FROM sqlite_schema AS child JOIN pragma_foreign_key_list(child.name) AS reference
      WHERE child.type = 'table' AND reference."table" = ${table} AND reference.on_delete = 'CASCADE'`,
  }),
  postgres: (table: string) => ({
    columns: sql<Column>`
      SELECT attname AS name, format_type(atttypid, NULL) AS type,
        coalesce(array_position(conkey, attnum), 0) AS pk
      FROM pg_attribute LEFT JOIN pg_constraint ON conrelid = attrelid AND contype = 'p'
      WHERE attrelid = ${table}::text::regclass AND attnum > 0 AND NOT attisdropped`,
    belongings: sql<Belonging>`
      SELECT conrelid::regclass::text AS "table", attname AS "column"
      FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
      WHERE confrelid = ${table}::text::regclass AND contype = 'f' AND confdeltype = 'c'`,
  }),
}
