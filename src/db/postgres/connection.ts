import { Kysely } from "kysely"
import { type Connection, isWritable } from "../connection.ts"
import type { Schema } from "../schema.ts"
import { type ClientOptions, type Server, statementTimeoutMs } from "./client.ts"
import { openClock } from "./clock.ts"
import { plugins, postgresDialect } from "./dialect.ts"
import { openPool } from "./pool.ts"

/** Connections of one node. Those of all nodes have to fit into `max_connections`: data/operate/several-machines.md. */
const sizes = { durable: 16, relaxed: 6, queue: 2 }

/** Each connection is made when it is first needed. The caller migrates before. */
export async function openConnection(server: Server): Promise<Connection> {
  const open = (size: number, options: Pick<ClientOptions, "isRelaxed" | "byIndex">) =>
    new Kysely<Schema>({
      dialect: postgresDialect(openPool(server, size, { ...options, statementTimeoutMs })),
      plugins,
    })
  const db = open(sizes.durable, { isRelaxed: false })
  const relaxed = open(sizes.relaxed, { isRelaxed: true })
  const queue = open(sizes.queue, { isRelaxed: false, byIndex: true })
  async function close(): Promise<void> {
    for (const each of [db, relaxed, queue]) await each.destroy()
  }
  const clock = await openClock(queue).catch(async (error) => {
    await close()
    throw error
  })
  return {
    db,
    relaxed,
    queue,
    clock,
    // Requests that all wait for a lock of another connection make a node slow: it must not look as if it had no
    // database.
    writable: () => isWritable(queue),
    emptyWal: async () => true,
    async [Symbol.asyncDispose]() {
      clock[Symbol.dispose]()
      await close()
    },
  }
}
