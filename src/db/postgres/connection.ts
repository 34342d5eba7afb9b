import { Kysely } from "kysely"
import type { Connection } from "../connection.ts"
import type { Schema } from "../schema.ts"
import { type Server, statementTimeoutMs } from "./client.ts"
import { plugins, postgresDialect } from "./dialect.ts"
import { openPool } from "./pool.ts"

/** Connections of one node: three nodes and a few commands stay below the 100 of a fresh server. */
const sizes = { durable: 16, relaxed: 6, queue: 2 }

/** Opens nothing yet: each connection is made when it is first needed. The caller migrates before use. */
export function openConnection(server: Server): Connection {
  const open = (size: number, isRelaxed: boolean) =>
    new Kysely<Schema>({
      dialect: postgresDialect(openPool(server, size, { isRelaxed, statementTimeoutMs })),
      plugins,
    })
  const db = open(sizes.durable, false)
  const relaxed = open(sizes.relaxed, true)
  const queue = open(sizes.queue, false)
  return {
    db,
    relaxed,
    queue,
    async writable() {
      try {
        await db
          .updateTable("probe")
          .set((row) => ({ writes: row("writes", "+", 1) }))
          .execute()
        return true
      } catch {
        return false
      }
    },
    emptyWal: async () => true,
    async [Symbol.asyncDispose]() {
      for (const each of [db, relaxed, queue]) await each.destroy()
    },
  }
}
