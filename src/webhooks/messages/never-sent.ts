import { setImmediate as yieldToEventLoop } from "node:timers/promises"
import { sql } from "kysely"
import { firstIdAt, idsOf, newId } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { findRow, insertRows } from "../../db/store.ts"
import { withLock } from "../../db/with-lock.ts"
import { lockingRows } from "../../db/words.ts"
import { meetsConditions } from "../endpoints/conditions.ts"
import { requireActiveEndpoint } from "../endpoints/endpoint.ts"
import { matchesFilter } from "../endpoints/endpoint-filter.ts"
import { eventsIn, formEvent } from "../endpoints/event-types.ts"
import { isPaced } from "../endpoints/pace.ts"

/** Messages looked at in one transaction, which stays small, so that others do not wait behind a long one. */
const batchSize = 500

interface Place {
  workspaceId: string
  endpointId: string
}

/**
 * Sends an endpoint the messages since `sinceMs` that it never got, since it is younger than they or its filter kept
 * them away; its present filter applies. Test messages are left out. They are known by `replayed_at`, as those of a
 * replay. Resolves to their number. The caller wakes the dispatcher afterwards. Throws Refusal as
 * `requireActiveEndpoint` does.
 */
export async function sendNeverSent(
  db: Db,
  { workspaceId, endpointId }: Place,
  sinceMs: number,
  nowMs: number,
): Promise<number> {
  let count = 0
  let after: string | undefined = firstIdAt("msg", sinceMs)
  while (after !== undefined)
    after = await withLock(db, `endpoint:${endpointId}`, async (transaction) => {
      const waits = isPaced(await requireActiveEndpoint(transaction, workspaceId, endpointId))
      const ids = await messageIds(transaction, workspaceId, after as string)
      if (ids.length === 0) return undefined
      // An erasure that is under way is waited for.
      const locked = await neverSent(transaction, endpointId)
        .select("message.id")
        .where("message.id", "in", ids)
        .orderBy("message.id")
        .$call(lockingRows(transaction))
        .execute()
      const passing = await meetingConditions(transaction, endpointId, idsOf(locked))
      const rows = passing.map((id) => ({
        id: newId("dlv", nowMs),
        message_id: id,
        endpoint_id: endpointId,
        state: "pending" as const,
        attempts_made: 0,
        created_at: nowMs,
        ended_at: null,
        due_at: waits ? null : nowMs,
        waits_since: waits ? nowMs : null,
        // New messages go first.
        due_is_late: 1 as const,
        resend_at: null,
        resend_is_late: 0 as const,
        replayed_at: nowMs,
      }))
      await insertRows(transaction, "delivery", rows)
      count += rows.length
      return ids.at(-1)
    })
  return count
}

/** How many messages `sendNeverSent` would send. The newest `mostLookedAt` messages are looked at. */
export async function countNeverSent(
  db: Db,
  { workspaceId, endpointId }: Place,
  { sinceMs, mostLookedAt }: { sinceMs: number; mostLookedAt: number },
): Promise<number> {
  const newest = db
    .selectFrom("message")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("id", ">=", firstIdAt("msg", sinceMs))
    .orderBy("id", "desc")
    .limit(mostLookedAt)
  const unsent = await neverSent(db, endpointId)
    .innerJoin(newest.as("newest"), "newest.id", "message.id")
    .select("message.id")
    .execute()
  const passing = await meetingConditions(db, endpointId, idsOf(unsent))
  return passing.length
}

const readTogether = 20

/** Those of these messages whose values meet the conditions of the endpoint. Reads none where it has no condition. */
async function meetingConditions(db: Db, endpointId: string, ids: readonly string[]) {
  const endpoint = await findRow(db, "endpoint", { id: endpointId })
  if (!eventsIn(endpoint?.events ?? null).includes(formEvent)) return []
  const conditions = endpoint?.conditions ?? null
  if (conditions === null) return ids
  const passing: string[] = []
  for (let from = 0; from < ids.length; from += readTogether) {
    const rows = await db
      .selectFrom("message")
      .select(["id", "form_id", "payload"])
      .where("id", "in", ids.slice(from, from + readTogether))
      .orderBy("id")
      .execute()
    for (const { id, form_id, payload } of rows)
      if (payload && meetsConditions(conditions, form_id, dataIn(payload))) passing.push(id)
    await yieldToEventLoop()
  }
  return passing
}

function dataIn(payload: Uint8Array): object {
  return JSON.parse(new TextDecoder().decode(payload)).data ?? {}
}

function neverSent(db: Db, endpointId: string) {
  return db
    .selectFrom("message")
    .where("message.response_id", "is not", null)
    .where("message.payload", "is not", null)
    .where(matchesFilter(sql.val(endpointId)))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("delivery")
            .select("delivery.number")
            .whereRef("delivery.message_id", "=", "message.id")
            .where("delivery.endpoint_id", "=", endpointId),
        ),
      ),
    )
}

async function messageIds(transaction: Db, workspaceId: string, after: string): Promise<string[]> {
  const rows = await transaction
    .selectFrom("message")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("id", ">", after)
    .orderBy("id")
    .limit(batchSize)
    .execute()
  return idsOf(rows)
}
