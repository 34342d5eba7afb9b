import { sql } from "kysely"
import type { Db } from "./connection.ts"
import { preparedAhead } from "./prepared.ts"
import { engineOf } from "./words.ts"

/**
 * A transaction that no other one with an equal subject runs beside, in any process: for work that reads,
 * decides and then writes. Several subjects are locked in one order everywhere, so that no two transactions
 * wait for each other. SQLite runs every writing transaction alone already.
 */
export function withLock<Result>(
  db: Db,
  subject: string | readonly string[],
  work: (transaction: Db) => Promise<Result>,
): Promise<Result> {
  if (engineOf(db) === "sqlite") return db.transaction().execute(work)
  return db.transaction().execute(async (transaction) => {
    await lock(transaction, [subject].flat().sort())
    return work(transaction)
  })
}

/** The database of work that belongs to a transaction: one that it begins is a part of that. */
export function joinedBy(transaction: Db): Db {
  const part = { execute: <Result>(work: (transaction: Db) => Promise<Result>) => work(transaction) }
  return Object.assign(transaction, { transaction: () => part as never })
}

/**
 * Locks a further subject until the caller's transaction ends. Only for subjects whose holders never wait for
 * another lock.
 */
export async function lockUntilCommit(transaction: Db, subject: string): Promise<void> {
  if (engineOf(transaction) === "postgres") await lock(transaction, [subject])
}

function lock(transaction: Db, subjects: readonly string[]): Promise<void> {
  return takeLocks(transaction, { subjects: JSON.stringify(subjects) })
}

/**
 * PostgreSQL releases the locks once the end of the transaction is visible to everybody. The next statement is sent
 * along and waits for them, too: what it reads is what the last holder left.
 */
const takeLocks = preparedAhead<{ subjects: string }>((value, db) =>
  sql`
    SELECT pg_advisory_xact_lock(hashtextextended(subject, 0))
    FROM json_array_elements_text((${value("subjects")}::text)::json) subject`.compile(db),
)
