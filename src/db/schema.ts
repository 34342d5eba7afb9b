import type { Selectable } from "kysely"
import { assistantTables } from "./tables/assistant.ts"
import { fileTables } from "./tables/files.ts"
import { formTables } from "./tables/forms.ts"
import { mailTables } from "./tables/mail.ts"
import { operatorTables } from "./tables/operators.ts"
import { integer, integerOf, type RowOf, type Table, table, text } from "./tables/table.ts"
import { webhookTables } from "./tables/webhooks.ts"
import { workspaceTables } from "./tables/workspaces.ts"

/** Every table of the database, on either engine. Times are integer milliseconds since 1970, booleans 0 or 1. */
const declared = {
  ...workspaceTables,
  ...operatorTables,
  ...assistantTables,
  ...fileTables,
  ...formTables,
  ...mailTables,
  ...webhookTables,
  /** A version of a browser script that a page may name by its hash. It stays available after an update. */
  script: table({ name: text, hash: text, text, created_at: integer }).with({ key: ["name", "hash"] }),
  /** One row, updated to check that the disk still accepts writes. */
  probe: table({ writes: integer }).with({ key: [] }),
  /** One row: a text sealed with the key that seals every secret of this database. */
  key_proof: table({ id: integerOf<1>(), sealed: text }).with({ check: "id = 1", hasRowId: true }),
}

export type TableName = keyof typeof declared

/** The rows of every table, for Kysely. */
export type Schema = { [Name in TableName]: RowOf<(typeof declared)[Name]> }

export type Row<Name extends TableName> = Selectable<Schema[Name]>

export const tables: Readonly<Record<TableName, Table>> = declared

/** Every table; referenced tables come first. */
export const tableNames: readonly TableName[] = parentsFirst()

function parentsFirst(): TableName[] {
  const ordered = new Set<TableName>()
  function add(name: TableName): void {
    if (ordered.has(name)) return
    for (const { references } of Object.values(tables[name].columns))
      if (references) add(references.table as TableName)
    ordered.add(name)
  }
  for (const name of Object.keys(tables)) add(name as TableName)
  return [...ordered]
}

/** The tables whose rows go with a row of this one, each with the column that names it. */
export function belongingsOf(parent: TableName): { table: TableName; column: string }[] {
  return tableNames.flatMap((child) =>
    Object.entries(tables[child].columns).flatMap(([column, { references }]) =>
      references?.table === parent && references.onDelete === "CASCADE" ? [{ table: child, column }] : [],
    ),
  )
}
