import { camelNames } from "../../base/names.ts"
import type { Db } from "../../db/connection.ts"
import { deleteRows } from "../../db/store.ts"
import { sessionIdleMs, sessionLongestMs } from "../session.ts"

export interface OwnSession {
  /** The hash of its cookie, from which the cookie cannot be derived. */
  hash: string
  createdAt: number
  /** To five minutes. */
  seenAt: number
  userAgent: string | null
}

/** The sessions of an operator that have not ended, the last used first: `maxSessions` at most. */
export async function listSessions(db: Db, operatorId: string, nowMs: number): Promise<OwnSession[]> {
  const rows = await db
    .selectFrom("session")
    .select(["hash", "created_at", "seen_at", "user_agent"])
    .where("operator_id", "=", operatorId)
    .where("seen_at", ">", nowMs - sessionIdleMs)
    .where("created_at", ">", nowMs - sessionLongestMs)
    .orderBy("seen_at", "desc")
    .orderBy("hash")
    .execute()
  return rows.map(camelNames)
}

/** Resolves to false when the operator has no such session. */
export async function endSession(db: Db, operatorId: string, hash: string): Promise<boolean> {
  return (await deleteRows(db, "session", { operator_id: operatorId, hash })).length > 0
}

/** Ends every session of an operator but one, in the caller's transaction. */
export async function endOtherSessions(transaction: Db, operatorId: string, present: string): Promise<void> {
  await transaction
    .deleteFrom("session")
    .where("operator_id", "=", operatorId)
    .where("hash", "!=", present)
    .execute()
}
