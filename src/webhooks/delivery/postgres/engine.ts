import { sql } from "kysely"
import { lockUntilCommit } from "../../../db/with-lock.ts"
import type { QueueEngine } from "../claim.ts"
import { claimStatements } from "./claim.ts"
import { openComplete } from "./complete.ts"

const subject = "claim"

/**
 * Claims are made by one process at a time. Without that, two would find the same deliveries due and send them
 * both. A process that holds nothing gets no result that would bring its next round: it waits.
 */
export const postgres: QueueEngine = {
  openComplete,
  claimStatements,
  async mayClaim(transaction, mayWait) {
    if (mayWait) {
      await lockUntilCommit(transaction, subject)
      return true
    }
    const { rows } = await sql<{ taken: number }>`
      SELECT pg_try_advisory_xact_lock(hashtextextended(${subject}, 0)) AS taken`.execute(transaction)
    return rows[0]?.taken === 1
  },
}
