/** A value as both engines hold it. Times, counts and conditions are numbers. */
export type Value = string | number | Uint8Array | null

/** Values of a row, in the order of the columns of its table. */
export type Row = readonly Value[]

export interface Table {
  name: string
  columns: readonly string[]
  /** Columns of the primary key; none: a table of a single row. */
  key: readonly string[]
}

/** Rows in the order of the key: `atMost` of them, after the key of the row `after`. */
export interface Page {
  after: Row | undefined
  atMost: number
}

/** A database whose rows are read while writing is stopped. Disposing of it lets others write again. */
export interface Source extends AsyncDisposable {
  read(table: Table, page: Page): Promise<Row[]>
  count(table: Table): Promise<number>
}

/**
 * A database that is invisible before `publish`. What a killed process left in it is continued, or removed by
 * `clear`.
 */
export interface Target extends Source {
  /** The database that is to be seen at that place already, if there is one of this version. */
  published: Source | undefined
  clear(): Promise<void>
  /** The row with the highest key: rows come in this order, so that all before it are there. */
  last(table: Table): Promise<Row | undefined>
  /** All of them, or none. */
  insert(table: Table, rows: readonly Row[]): Promise<void>
  /** Deletes what the table holds in the same transaction. */
  replace(table: Table, rows: readonly Row[]): Promise<void>
  /** Throws Refusal `conflict` when another database has come to its place meanwhile. */
  publish(): Promise<void>
}

/** The statement that reads a page, and its parameters. `placeholder` gives the one of a number from 1 on. */
export function pageQuery(
  { name, columns, key }: Table,
  { after, atMost }: Page,
  schema: string,
  placeholder: (number: number) => string,
): { sql: string; parameters: Value[] } {
  const order = key.map(quoted).join(", ")
  const values = after ? key.map((column) => after[columns.indexOf(column)] as Value) : []
  const places = values.map((_, index) => placeholder(index + 1)).join(", ")
  return {
    sql: [
      `SELECT ${columns.map(quoted).join(", ")} FROM ${schema}${quoted(name)}`,
      ...(after ? [`WHERE (${order}) > (${places})`] : []),
      ...(order ? [`ORDER BY ${order}`] : []),
      `LIMIT ${atMost}`,
    ].join(" "),
    parameters: values,
  }
}

/** The statement that reads the row with the highest key. */
export function lastQuery({ name, columns, key }: Table, schema: string): string {
  const order = key.map((column) => `${quoted(column)} DESC`).join(", ")
  return `SELECT ${columns.map(quoted).join(", ")} FROM ${schema}${quoted(name)} ORDER BY ${order} LIMIT 1`
}

/** The names are those of the schema. */
export function quoted(name: string): string {
  return `"${name}"`
}

/** PostgreSQL refuses NUL in a text: it gets the same sign as in `postgres/dialect.ts`. */
export function portable(row: Row): Row {
  return row.map((value) => (typeof value === "string" ? value.replaceAll("\0", "\ufffd") : value))
}

/** A row as JSON, the same text whichever engine it comes from. Bytes are written as PostgreSQL reads them. */
export function canonical(row: Row): string {
  return JSON.stringify(row.map(jsonValue))
}

export function jsonValue(value: Value): string | number | null {
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString("hex")}` : value
}
