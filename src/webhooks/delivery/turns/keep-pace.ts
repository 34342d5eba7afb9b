import { sql } from "kysely"
import type { Db } from "../../../db/connection.ts"
import { findRow } from "../../../db/store.ts"
import { afterStart, isPaced, mayStart, type Paced } from "../../endpoints/pace.ts"
import type { DueAttempt } from "../claim.ts"
import { unlocked } from "./release.ts"

interface PacedRecipient {
  paced: Paced
}

/**
 * The attempts that may start by the order and the rate of their endpoints, among those about to be claimed. The others
 * begin to wait: retries beyond the rate, and what was due already when an endpoint was set to be sent to in order. A
 * resend that a person asked for never waits. Costs nothing where no endpoint has such settings.
 */
export async function keepPace<Attempt extends DueAttempt>(
  transaction: Db,
  due: readonly Attempt[],
  held: readonly DueAttempt[],
  recipients: ReadonlyMap<string, PacedRecipient>,
  nowMs: number,
): Promise<readonly Attempt[]> {
  const paced = [...recipients].filter(([, recipient]) => isPaced(recipient.paced))
  if (paced.length === 0) return due
  const waiting = new Set<Attempt>()
  for (const [
    id,
    {
      paced: { inOrder, rate },
    },
  ] of paced) {
    const own = due.filter((attempt) => attempt.endpointId === id && mayWait(attempt))
    if (inOrder) {
      const isBusy = held.some((attempt) => attempt.endpointId === id && attempt.kind === "automatic")
      const begun = own.filter(({ kind, attemptsMade }) => kind === "automatic" && attemptsMade > 0)
      const first = own.toSorted((one, other) => one.deliveryNumber - other.deliveryNumber)[0]
      for (const attempt of own)
        if (!begun.includes(attempt) && (isBusy || begun.length > 0 || attempt !== first))
          waiting.add(attempt)
    }
    if (rate) {
      const pace = await findRow(transaction, "endpoint_pace", { endpoint_id: id })
      const moment = { freeAtMs: pace?.free_at ?? 0, nowMs }
      const mine = own.filter((attempt) => !waiting.has(attempt))
      const free = mayStart(rate, moment)
      for (const attempt of mine.slice(free)) waiting.add(attempt)
      const count = Math.min(free, mine.length)
      if (count > 0) await setFreeAt(transaction, id, afterStart(rate, moment, count))
    }
  }
  await makeWait(transaction, [...waiting], nowMs)
  return due.filter((attempt) => !waiting.has(attempt))
}

/** By itself, or in a replay. */
function mayWait({ kind, priority }: DueAttempt): boolean {
  return kind === "automatic" || priority === "low"
}

async function makeWait(transaction: Db, attempts: readonly DueAttempt[], nowMs: number): Promise<void> {
  for (const [kind, dueAt] of [
    ["automatic", "due_at"],
    ["manual", "resend_at"],
  ] as const) {
    const numbers = attempts.filter((each) => each.kind === kind).map(({ deliveryNumber }) => deliveryNumber)
    if (numbers.length === 0) continue
    await sql`
      UPDATE delivery SET waits_since = ${sql.lit(nowMs)}, ${sql.ref(dueAt)} = NULL
      WHERE ${sql.ref(dueAt)} IS NOT NULL AND number IN (${unlocked(transaction, numbers)})`.execute(
      transaction,
    )
  }
}

async function setFreeAt(transaction: Db, endpointId: string, freeAtMs: number): Promise<void> {
  await sql`
    INSERT INTO endpoint_pace (endpoint_id, free_at)
    SELECT id, CAST(${freeAtMs} AS double precision) FROM endpoint WHERE id = ${endpointId}
    ON CONFLICT (endpoint_id) DO UPDATE SET free_at = excluded.free_at`.execute(transaction)
}
