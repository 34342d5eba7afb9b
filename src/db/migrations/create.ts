import { type TableName, tableNames, tables } from "../schema.ts"
import type { Column, Table } from "../tables/table.ts"
import type { Engine } from "../words.ts"

/** The words in which the engines differ. */
interface Words extends Record<Exclude<Column["type"], "serial">, string> {
  serialKey: string
  afterTable(table: Table): string
}

const words: Record<Engine, Words> = {
  sqlite: {
    text: "TEXT",
    integer: "INTEGER",
    real: "REAL",
    bytes: "BLOB",
    serialKey: "INTEGER PRIMARY KEY AUTOINCREMENT",
    afterTable: (table) => (keepsRowId(table) ? " STRICT" : " STRICT, WITHOUT ROWID"),
  },
  postgres: {
    // Texts sort by their code points, as in SQLite, whatever the collation of the database is: cursors of lists
    // compare them.
    text: 'text COLLATE "C"',
    integer: "bigint",
    real: "double precision",
    bytes: "bytea",
    serialKey: "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    afterTable: () => "",
  },
}

/** SQL that makes every table, with its indexes, in an empty database. */
export function createDatabase(engine: Engine): string {
  return [...tableNames.map((name) => createTable(name, engine)), "INSERT INTO probe VALUES (0);"].join("\n")
}

function createTable(name: TableName, engine: Engine): string {
  const { columns, key, unique, indexes, check, postgres } = tables[name]
  const hasSerialKey = key.some((column) => columns[column]?.type === "serial")
  const parts = [
    ...Object.entries(columns).map(([column, declared]) => `${column} ${columnSql(declared, engine)}`),
    ...(key.length > 0 && !hasSerialKey ? [`PRIMARY KEY (${key.join(", ")})`] : []),
    ...unique.map((each) => `UNIQUE (${each.join(", ")})`),
    ...(check ? [`CHECK (${check})`] : []),
  ]
  return [
    `CREATE TABLE ${name} (${parts.join(", ")})${words[engine].afterTable(tables[name])};`,
    ...(engine === "postgres" && postgres ? [`ALTER TABLE ${name} ${postgres};`] : []),
    ...Object.entries(indexes).map(
      ([index, { on, isUnique, where }]) =>
        `CREATE ${isUnique ? "UNIQUE " : ""}INDEX ${index} ON ${name} (${on.join(", ")})${where ? ` WHERE ${where}` : ""};`,
    ),
  ].join("\n")
}

function columnSql(column: Column, engine: Engine): string {
  if (column.type === "serial") return words[engine].serialKey
  return [
    words[engine][column.type],
    ...(column.isNullable ? [] : ["NOT NULL"]),
    ...(column.default === undefined ? [] : [`DEFAULT ${defaultSql(column, engine)}`]),
    ...(column.references
      ? [`REFERENCES ${column.references.table} ON DELETE ${column.references.onDelete}`]
      : []),
  ].join(" ")
}

function defaultSql({ type, default: value }: Column, engine: Engine): string {
  if (typeof value === "number") return `${value}`
  return type === "bytes" && engine === "sqlite" ? `x'${value}'` : `'${value}'`
}

function keepsRowId({ key, columns, hasRowId }: Table): boolean {
  return hasRowId === true || key.every((column) => columns[column]?.type === "serial")
}
