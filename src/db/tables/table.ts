import type { Generated } from "kysely"

/** A column, declared once for both engines. `Value` is what Kysely reads and writes. */
export interface Column<Value = unknown> {
  type: "text" | "integer" | "real" | "bytes" | "serial"
  isNullable?: true
  default?: string | number
  /** The column holds the key of another table; what happens to its row when the other one is deleted. */
  references?: { table: string; onDelete: "CASCADE" | "SET NULL" }
  /** Types only. */
  value?: Value
}

export interface Index<Name extends string = string> {
  on: readonly Name[]
  isUnique?: true
  /** SQL: the rows that the index holds. */
  where?: string
}

interface Options<Name extends string> {
  /** Columns of the primary key. */
  key?: readonly Name[]
  unique?: readonly (readonly Name[])[]
  /** By name. Both engines name indexes across all tables. */
  indexes?: Record<string, Index<Name>>
  /** SQL that every row meets. */
  check?: string
  /** SQLite keeps large rows apart from the key by which they are found; small ones stand in the key's tree. */
  hasRowId?: true
  /** The action of an ALTER TABLE, for PostgreSQL alone. */
  postgres?: string
}

export interface Table<Columns extends Record<string, Column> = Record<string, Column>>
  extends Required<Pick<Options<string>, "key" | "unique" | "indexes">>,
    Pick<Options<string>, "check" | "hasRowId" | "postgres"> {
  columns: Columns
}

/** The row of a table, as Kysely types it. */
export type RowOf<Declared extends Table> = {
  [Name in keyof Declared["columns"]]: Declared["columns"][Name] extends Column<infer Value> ? Value : never
}

/** A table whose first column is its key, and which has no indexes; `with` says more of it. */
export function table<Columns extends Record<string, Column>>(columns: Columns) {
  const declared: Table<Columns> = { columns, key: Object.keys(columns).slice(0, 1), unique: [], indexes: {} }
  return {
    ...declared,
    with: (options: Options<keyof Columns & string>): Table<Columns> => ({ ...declared, ...options }),
  }
}

export const text: Column<string> = { type: "text" }
export const integer: Column<number> = { type: "integer" }
export const real: Column<number> = { type: "real" }
export const bytes: Column<Uint8Array> = { type: "bytes" }
export const flag: Column<0 | 1> = { type: "integer" }
/** A key that the database numbers, and never uses twice. */
export const serial: Column<Generated<number>> = { type: "serial" }

export const textOf = <Value extends string>(): Column<Value> => ({ type: "text" })
export const integerOf = <Value extends number>(): Column<Value> => ({ type: "integer" })

export function orNull<Value>(column: Column<Value>): Column<Value | null> {
  return { ...(column as Column<never>), isNullable: true }
}

export function withDefault<Value extends string | number | Uint8Array>(
  column: Column<Value>,
  value: string | number,
): Column<Generated<Value>> {
  return { ...(column as Column<never>), default: value }
}

/** Names a row of another table, and goes with it. */
export function belongsTo(table: string): Column<string>
export function belongsTo<Value>(table: string, column: Column<Value>): Column<Value>
export function belongsTo(table: string, column: Column = text): Column {
  return { ...column, references: { table, onDelete: "CASCADE" } }
}

/** Names a row of another table as long as that one is there. */
export function mayName(table: string): Column<string | null> {
  return { ...orNull(text), references: { table, onDelete: "SET NULL" } }
}
