import { eventually } from "./processes.ts"

/** A transaction beside the service that keeps others waiting, so that they come to one place together. */
export interface HeldTable extends AsyncDisposable {
  /** Waits until so many transactions wait for a lock of this database. */
  waiters(count: number): Promise<boolean>
  /** Runs another statement before the end. */
  run(statement: string): Promise<void>
  release(): Promise<void>
}

/** Runs a statement that locks, in a transaction that ends with `release`. */
export async function holdTable(url: string, statement: string): Promise<HeldTable> {
  const sql = new Bun.SQL(url, { max: 2 })
  const holder = await sql.reserve()
  await holder.unsafe("BEGIN")
  await holder.unsafe(statement)
  return {
    waiters: (count) =>
      eventually(async () => {
        const [row] = await sql`
          SELECT count(*)::int AS waiting FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`
        return row.waiting >= count
      }),
    run: async (statement) => void (await holder.unsafe(statement)),
    release: async () => void (await holder.unsafe("COMMIT")),
    async [Symbol.asyncDispose]() {
      holder.release()
      await sql.close()
    },
  }
}
