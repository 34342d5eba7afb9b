import type { Db } from "./connection.ts"

/** Whether a write reaches the database: see `Connection.writable`. */
export async function isWritable(db: Db): Promise<boolean> {
  try {
    await db
      .updateTable("probe")
      .set((row) => ({ writes: row("writes", "+", 1) }))
      .execute()
    return true
  } catch {
    return false
  }
}
