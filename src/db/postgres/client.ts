import { SQL } from "bun"
import { secondMs } from "../../base/clock.ts"

/** Where the server is, and how its certificate is checked: `parseDatabaseUrl` of the settings makes it. */
export interface Server {
  url: string
  /** PEM of the authorities to trust instead of the system's. */
  ca: string | undefined
  /** Undefined: no TLS. */
  tls: "encrypt" | "verify-authority" | "verify" | undefined
}

export interface ClientOptions {
  /** A commit does not wait for the server's disk. */
  isRelaxed: boolean
  /** The server gives up a statement after that time; 0: never. */
  statementTimeoutMs: number
  /**
   * Every statement goes by an index. A plan lasts as long as the connection: one that was made while a table was
   * small would go on reading all of it, turn after turn.
   */
  byIndex?: boolean
}

/** Rows of a statement, with the number of rows that it returned or changed. */
export type Rows = Record<string, unknown>[] & { count: number; command: string }

/** One connection. Once closed, by either side, it stays closed. */
export interface Client {
  readonly isClosed: boolean
  /** Closed by this side, because the server did not answer in time. */
  readonly isOverdue: boolean
  /** Statements are sent at once and run in the order of the calls. */
  run(text: string, parameters: readonly unknown[]): Promise<Rows>
  close(): void
}

export const statementTimeoutMs = 15 * secondMs
/**
 * The server ends a slow statement by itself. A network that swallows packets brings neither rows nor the end of
 * the connection: so long after the server should have answered, the connection is given up.
 */
export const graceMs = 3 * secondMs
/**
 * A process that is frozen or cut off must not hold its locks for long: the requests of all other nodes wait for
 * them, as long as load balancers wait for an answer. The server counts the time in which nothing is asked of it;
 * where it waits itself, with a long result that the client does not take, only the limit of its network ends the
 * connection. A server that does not run on Linux has none, and says so in its log.
 */
const unresponsiveMs = 5 * secondMs
const connectTimeoutMs = 5 * secondMs
const sweepMs = 500

/**
 * Opens one connection. `SQL` would connect again by itself, in the middle of what the caller takes for one
 * transaction: this one is closed for good as soon as its connection is.
 */
export async function openClient(server: Server, options: ClientOptions): Promise<Client> {
  let isClosed = false
  let isOverdue = false
  const sent = new Set<{ deadlineMs: number; giveUp(error: Error): void }>()
  const sql = new SQL(server.url, {
    max: 1,
    idleTimeout: 0,
    maxLifetime: 0,
    // bigint columns come as text otherwise, which nothing tells from text columns.
    bigint: true,
    ...(server.tls && {
      tls: {
        rejectUnauthorized: server.tls !== "encrypt",
        ...(server.ca !== undefined && { ca: server.ca }),
      },
    }),
    onclose: (cause) => close(cause),
  })

  function close(cause?: Error | null): void {
    if (isClosed) return
    isClosed = true
    clearInterval(sweeping)
    void sql.close({ timeout: 0 }).catch(() => {})
    const error = cause ?? connectionClosed("the connection was closed")
    for (const statement of sent) statement.giveUp(error)
  }

  function send(text: string, parameters: readonly unknown[], withinMs: number): Promise<Rows> {
    if (isClosed) return Promise.reject(connectionClosed("the connection is closed"))
    const { promise, resolve, reject } = Promise.withResolvers<Rows>()
    const statement = { deadlineMs: performance.now() + withinMs, giveUp: reject }
    sent.add(statement)
    sql
      .unsafe(text, parameters as unknown[])
      .execute()
      .then(resolve, reject)
      .finally(() => sent.delete(statement))
    return promise
  }

  /** One timer a connection instead of one a statement. */
  const sweeping = setInterval(() => {
    const nowMs = performance.now()
    isOverdue = [...sent].some(({ deadlineMs }) => deadlineMs < nowMs)
    if (isOverdue) close()
  }, sweepMs)
  sweeping.unref()

  const { isRelaxed, statementTimeoutMs, byIndex } = options
  // Not in the first message of the connection, where PgBouncer refuses them.
  const session = [
    "SET application_name = 'guichet'",
    "SET client_min_messages = warning",
    `SET statement_timeout = ${statementTimeoutMs}`,
    `SET idle_in_transaction_session_timeout = ${unresponsiveMs}`,
    `SET tcp_user_timeout = ${unresponsiveMs}`,
    ...(isRelaxed ? ["SET synchronous_commit = off"] : []),
    ...(byIndex ? ["SET enable_seqscan = off"] : []),
    // Statements of milliseconds: compiling one costs more than it saves.
    "SET jit = off",
  ]
  try {
    await send(session.join("; "), [], connectTimeoutMs)
  } catch (error) {
    close()
    throw error
  }
  const withinMs = statementTimeoutMs === 0 ? Number.POSITIVE_INFINITY : statementTimeoutMs + graceMs
  return {
    get isClosed() {
      return isClosed
    },
    get isOverdue() {
      return isOverdue
    },
    run: (text, parameters) => send(text, parameters, withinMs),
    close: () => close(),
  }
}

/** The code of Bun's own error, so that one test recognises both. */
export function connectionClosed(message: string): Error {
  return Object.assign(new Error(`PostgreSQL: ${message}`), { code: "ERR_POSTGRES_CONNECTION_CLOSED" })
}
