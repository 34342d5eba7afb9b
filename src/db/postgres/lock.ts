import { createHash } from "node:crypto"
import { type Client, openClient, type Server } from "./client.ts"

/** A lock of one process among all on the database. */
export interface HeldLock extends Disposable {
  /** False once the connection that holds it was lost: another process may have it. */
  readonly isHeld: boolean
}

/** Key of an advisory lock: the first 64 bits of a hash. */
export function lockKey(name: string): bigint {
  return createHash("sha256").update(`guichet ${name}`).digest().readBigInt64BE()
}

/**
 * Takes a lock that ends with its connection, so that no dead holder keeps it; undefined when another process
 * holds it. Shared locks exclude only those that are not.
 */
export async function takeLock(
  server: Server,
  name: string,
  mode: "exclusive" | "shared" = "exclusive",
): Promise<HeldLock | undefined> {
  const client: Client = await openClient(server, { isRelaxed: false, statementTimeoutMs: 0 })
  const take = mode === "shared" ? "pg_try_advisory_lock_shared" : "pg_try_advisory_lock"
  const [row] = await client.run(`SELECT ${take}($1) AS taken`, [lockKey(name)])
  if (row?.["taken"] !== true) {
    client.close()
    return undefined
  }
  return {
    get isHeld() {
      return !client.isClosed
    },
    [Symbol.dispose]: client.close,
  }
}
