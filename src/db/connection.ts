import type { CompiledQuery, Kysely } from "kysely"
import type { Clock } from "../base/clock.ts"
import type { Refusal, UsageError } from "../base/errors.ts"
import type { Schema } from "./schema.ts"

/** The database, or one transaction in it. */
export type Db = Kysely<Schema>

/** An open database, in SQLite or PostgreSQL. Disposing of it closes it. */
export interface Connection extends AsyncDisposable {
  db: Db
  /**
   * The same database with relaxed durability: writes do not wait for the disk, and a power cut may lose
   * them.
   */
  relaxed: Db
  /**
   * The same database for the deliveries and the beat of the node, which never wait for a connection behind
   * requests.
   */
  queue: Db
  /** The time that all nodes of the database share; undefined when this machine's alone matters. */
  clock: Clock | undefined
  /** Whether the database can be written to: false when the disk is full, read-only or gone. */
  writable(): Promise<boolean>
  /**
   * Moves SQLite's write-ahead log into the database and truncates it, since the log still contains erased
   * data. Resolves to false when readers or writers prevented it for five seconds. PostgreSQL has no such file
   * of ours: true.
   */
  emptyWal(): Promise<boolean>
}

/** Whether a write reaches the database: `Connection.writable`. */
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

/** Versions before and after, and the copy that was made of an existing SQLite database. */
export interface Migrated {
  from: number
  to: number
  backup?: string | undefined
}

/** A lock of one process among all that use the database. */
export interface Lock extends AsyncDisposable {
  /** Aborted when another process may have the lock, although its holder lives. */
  readonly lost: AbortSignal
}

/** Keeps the database at the version of a running service. */
export interface HeldDatabase extends AsyncDisposable {
  /**
   * Resolves, to what the operator is told, when PostgreSQL was away for a while and another program migrated the
   * database or began to copy it meanwhile: the service has to end.
   */
  readonly superseded: Promise<UsageError | Refusal>
}

/**
 * A statement to run once for each set of parameters. The result holds the number of rows each run changed.
 */
export interface RepeatedQuery extends CompiledQuery {
  each: readonly (readonly unknown[])[]
}

/**
 * A statement of a transaction whose result is not read. PostgreSQL gets it together with the next one, or with the
 * end of the transaction, which fails when this one did.
 */
export interface AheadQuery extends CompiledQuery {
  ahead: true
}
