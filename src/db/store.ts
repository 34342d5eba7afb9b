import type { Insertable, Selectable, SelectQueryBuilder } from "kysely"
import type { Db } from "./connection.ts"
import type { Row, Schema, TableName } from "./schema.ts"
import type { PageRequest } from "./search.ts"

/** By column, the value of the rows that are meant, or a list of values. */
type These<Table extends TableName> = {
  readonly [Column in keyof Row<Table>]?: Row<Table>[Column] | readonly Row<Table>[Column][]
}
/** A column that is undefined may hold any. */
type Where<Table extends TableName> = {
  readonly [Column in keyof Row<Table>]?: These<Table>[Column] | undefined
}

/** SQLite takes the name of a column that is not there for a text, and PostgreSQL refuses it. */
type TableWithId = { [Table in TableName]: "id" extends keyof Row<Table> ? Table : never }[TableName]

/** Rows by id, newest first: a part of them, or all. */
export function rowsOf<Table extends TableWithId>(
  db: Db,
  table: Table,
  where: Where<Table>,
  part?: Partial<PageRequest>,
): Promise<Row<Table>[]> {
  return matching(db.selectFrom(table as "answer"), where)
    .selectAll()
    .$call(newestFirst("id", part))
    .execute() as never
}

/** For `$call`: rows by an id, newest first; a part of them has at most `atMost`, after the one with the id `after`. */
export function newestFirst(id: string, { after, atMost }: Partial<PageRequest> = {}) {
  return <Database, Table extends keyof Database, Found>(query: SelectQueryBuilder<Database, Table, Found>) =>
    query
      .$if(after !== undefined, (rows) => rows.where(id as never, "<", after as never) as never)
      .orderBy(id as never, "desc")
      .$if(atMost !== undefined, (rows) => rows.limit(atMost as number))
}

export function findRow<Table extends TableName>(
  db: Db,
  table: Table,
  where: Where<Table>,
): Promise<Row<Table> | undefined> {
  return matching(db.selectFrom(table as "answer"), where)
    .selectAll()
    .executeTakeFirst() as never
}

export async function countOf<Table extends TableName>(db: Db, table: Table, where: Where<Table>) {
  const { count } = await matching(db.selectFrom(table as "answer"), where)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow()
  return count
}

/** Changes rows; resolves to whether there was one. */
export async function changeRows<Table extends TableName>(
  db: Db,
  table: Table,
  where: These<Table>,
  columns: Partial<Selectable<Schema[Table]>>,
): Promise<boolean> {
  const query = matching(db.updateTable(table as "answer"), where).set(columns as never)
  return (await query.executeTakeFirst()).numUpdatedRows > 0n
}

/** Deletes rows, with whatever refers to them. Resolves to them. */
export function deleteRows<Table extends TableName>(
  db: Db,
  table: Table,
  where: These<Table>,
): Promise<Row<Table>[]> {
  return matching(db.deleteFrom(table as "answer"), where)
    .returningAll()
    .execute() as never
}

function matching<Query extends { where(column: never, is: "=" | "is" | "in", value: never): Query }>(
  query: Query,
  where: object,
): Query {
  return Object.entries(where)
    .filter(([, value]) => value !== undefined)
    .reduce((rows, [column, value]) => rows.where(column as never, comparison(value), value as never), query)
}

function comparison(value: unknown) {
  return value === null ? "is" : Array.isArray(value) ? "in" : "="
}

/** Adds a row, or several by one statement; nothing for an empty list. */
export async function insertRows<Table extends TableName>(
  db: Db,
  table: Table,
  rows: Insertable<Schema[Table]> | readonly Insertable<Schema[Table]>[],
): Promise<void> {
  if (Array.isArray(rows) && rows.length === 0) return
  await db
    .insertInto(table)
    .values(rows as never)
    .execute()
}

/** Adds the rows that are not there by one of the table's keys; there has to be one. */
export async function insertMissing<Table extends TableName>(
  db: Db,
  table: Table,
  rows: Insertable<Schema[Table]> | readonly Insertable<Schema[Table]>[],
): Promise<void> {
  await db
    .insertInto(table)
    .values(rows as never)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
