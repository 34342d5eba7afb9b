import { createHash } from "node:crypto"
import { secondMs } from "../../base/clock.ts"
import type { Lock } from "../connection.ts"
import { type Client, openClient, type Server } from "./client.ts"

/**
 * The holder says every few seconds that it lives. A machine that was cut off ends no connection, and the server
 * would wait hours for it: it ends one that was silent for `silentForMs`. By then the holder knows.
 */
export interface LockTimes {
  beatEveryMs: number
  beatTimeoutMs: number
  silentForMs: number
}

export const lockTimes: LockTimes = {
  beatEveryMs: 3 * secondMs,
  beatTimeoutMs: 7 * secondMs,
  silentForMs: 14 * secondMs,
}

/** Key of an advisory lock: the first 64 bits of a hash. */
export function lockKey(name: string): bigint {
  return createHash("sha256").update(`guichet ${name}`).digest().readBigInt64BE()
}

/**
 * Takes a lock that ends with its connection, so that no dead holder keeps it; undefined when another process
 * holds it. Shared locks exclude only exclusive ones.
 */
export async function takeLock(
  server: Server,
  name: string,
  mode: "exclusive" | "shared" = "exclusive",
  { beatEveryMs, beatTimeoutMs, silentForMs }: LockTimes = lockTimes,
): Promise<Lock | undefined> {
  const client: Client = await openClient(server, { isRelaxed: false, statementTimeoutMs: beatTimeoutMs })
  const take = mode === "shared" ? "pg_try_advisory_lock_shared" : "pg_try_advisory_lock"
  try {
    await client.run(`SET idle_session_timeout = ${silentForMs}`, [])
    const [row] = await client.run(`SELECT ${take}($1) AS taken`, [lockKey(name)])
    if (row?.["taken"] === true) return held(client, beatEveryMs)
  } catch (error) {
    client.close()
    throw error
  }
  client.close()
  return undefined
}

function held(client: Client, beatEveryMs: number): Lock {
  const stop = new AbortController()
  const timer = setInterval(async () => {
    // A connection whose statement gets no answer closes itself.
    await client.run("SELECT 1", []).catch(() => {})
    if (client.isClosed) lose()
  }, beatEveryMs)
  timer.unref()

  function lose(): void {
    clearInterval(timer)
    stop.abort(new Error("the lock was lost with its connection to PostgreSQL"))
  }

  return {
    lost: stop.signal,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      // The server ends a closed connection some time later: the next one may come before.
      await client.run("SELECT pg_advisory_unlock_all()", []).catch(() => {})
      client.close()
    },
  }
}
