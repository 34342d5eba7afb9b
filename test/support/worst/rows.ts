import type { Insertable } from "kysely"
import type { Schema } from "../../../src/db/schema.ts"
import { accountRows } from "./account-rows.ts"
import { assistantRows } from "./assistant-rows.ts"
import { formRows } from "./form-rows.ts"
import type { WorstIds } from "./ids.ts"
import { webhookRows } from "./webhook-rows.ts"

/** Rows of a table. What each says is laid over the row that the world has there. */
interface Worst<Table extends keyof Schema> {
  rows: number
  row(at: number): Partial<Insertable<Schema[Table]>>
}

/** Of every table the worst rows that are legal, or why no list has them; in the order of their references. */
export type WorstRows = { [Table in keyof Schema]: Worst<Table> | string }

export function worstRows(of: WorstIds): WorstRows {
  const files = {
    stored_file: "no list shows them",
    stored_file_part: "no list shows them",
    file_space: "a workspace has one",
    upload: "no feed here is of that kind",
  }
  return { ...accountRows(of), ...formRows(of), ...files, ...assistantRows(of), ...webhookRows(of) }
}
