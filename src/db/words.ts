import { SqliteAdapter } from "kysely"
import type { Db } from "./connection.ts"

/** The SQL that differs between the two engines, wherever a statement is otherwise the same. */

export type Engine = "sqlite" | "postgres"

/** The engine of a database, of a transaction, or of the builder that `prepared` hands out. */
export function engineOf(db: Db): Engine {
  return db.getExecutor().adapter instanceof SqliteAdapter ? "sqlite" : "postgres"
}
