import { setImmediate as yieldToEventLoop } from "node:timers/promises"
import type { Static } from "@sinclair/typebox"
import { sql } from "kysely"
import { isoTime, minuteMs } from "../../base/clock.ts"
import { firstIdAt } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { withLock } from "../../db/with-lock.ts"
import { maxPolled, type polledMessages } from "./record.ts"

/** A transaction that takes longer lets a message be seen after one with a later id. */
const longestWayMs = 2 * minuteMs

/** A message has up to 256 kB: an answer ends with the one that goes beyond this. */
const answerBytes = 1024 * 1024
/** Numbered in one transaction when polling begins at the end; looked at in one when all are. */
const placedAtOnce = 1000

/**
 * The messages of form responses after the cursor, in the order in which they came to be seen, and the cursor after
 * the last of them. Messages get their place in that order at a poll, so that none is passed over that was stored
 * late by another process. Erased ones are left out. `more`: there may be more at once.
 */
export async function pollMessages(
  db: Db,
  workspaceId: string,
  { after, atMost, nowMs }: { after: number; atMost: number; nowMs: number },
): Promise<Pick<Static<typeof polledMessages>, "items" | "more"> & { next: number }> {
  await placeNew(db, workspaceId, nowMs, maxPolled)
  const candidates = await db
    .selectFrom("message_order")
    .innerJoin("message", "message.id", "message_order.message_id")
    .select(["position", "message_id"])
    .select(sql<number>`coalesce(length(message.payload), 0)`.as("bytes"))
    .where("message_order.workspace_id", "=", workspaceId)
    .where("position", ">", after)
    .orderBy("position")
    .limit(atMost)
    .execute()
  const chosen = candidates.slice(0, fitting(candidates.map(({ bytes }) => bytes)))
  const last = chosen.at(-1)
  if (!last) return { items: [], next: after, more: false }
  const rows = await db
    .selectFrom("message_order")
    .innerJoin("message", "message.id", "message_order.message_id")
    .select(["message.id", "message.created_at", "message.payload"])
    .where("message_order.workspace_id", "=", workspaceId)
    .where("position", ">", after)
    .where("position", "<=", last.position)
    .orderBy("position")
    .execute()
  return {
    items: rows.flatMap(({ id, created_at, payload }) =>
      payload === null
        ? []
        : [{ id, created_at: isoTime(created_at), body: new TextDecoder().decode(payload) }],
    ),
    next: last.position,
    more: chosen.length === atMost || chosen.length < candidates.length,
  }
}

/** The cursor behind every message that there is at this moment. */
export async function endOfMessages(db: Db, workspaceId: string, nowMs: number): Promise<number> {
  while ((await placeNew(db, workspaceId, nowMs, placedAtOnce)) === placedAtOnce) await yieldToEventLoop()
  const last = await lastPlaced(db, workspaceId)
  return last?.position ?? 0
}

/**
 * Places the messages that `placeNew` has passed over: those made between the moment at which a clock that was
 * ahead was set right and the one that it had shown, without a poll in between. Only workspaces that poll have an
 * order. Resolves to the number of messages.
 */
export async function numberSkippedMessages(db: Db): Promise<number> {
  let placed = 0
  const polling = await db.selectFrom("message_order").select("workspace_id").distinct().execute()
  for (const { workspace_id: workspaceId } of polling) {
    let after = ""
    for (;;) {
      const rows = await db
        .selectFrom("message")
        .leftJoin("message_order", "message_id", "message.id")
        .select(["message.id", "position"])
        .where("message.workspace_id", "=", workspaceId)
        .where("response_id", "is not", null)
        .where("message.id", ">", after)
        .orderBy("message.id")
        .limit(placedAtOnce)
        .execute()
      const last = rows.at(-1)
      if (!last) break
      if (rows.some(({ position }) => position === null))
        placed += await placeBetween(db, workspaceId, after, last.id)
      after = last.id
      await yieldToEventLoop()
    }
  }
  return placed
}

async function placeBetween(db: Db, workspaceId: string, after: string, last: string): Promise<number> {
  return withLock(db, `messages:${workspaceId}`, async (transaction) => {
    const { numAffectedRows } = await sql`
      INSERT INTO message_order (workspace_id, message_id)
      SELECT workspace_id, id FROM message
      WHERE workspace_id = ${workspaceId} AND response_id IS NOT NULL AND id > ${after} AND id <= ${last}
        AND NOT EXISTS (SELECT 1 FROM message_order WHERE message_id = message.id)
      ORDER BY id`.execute(transaction)
    return Number(numAffectedRows ?? 0)
  })
}

/** At least one, however large it is. */
function fitting(sizes: readonly number[]): number {
  let bytes = 0
  const tooMany = sizes.findIndex((size, place) => {
    bytes += size
    return place > 0 && bytes > answerBytes
  })
  return tooMany === -1 ? sizes.length : tooMany
}

/**
 * Resolves to the number of messages that were given a place. The last one that has a place may come from a clock that
 * was ahead: what is made now is new all the same.
 */
async function placeNew(db: Db, workspaceId: string, nowMs: number, atMost: number): Promise<number> {
  return withLock(db, `messages:${workspaceId}`, async (transaction) => {
    const last = await lastPlaced(transaction, workspaceId)
    const from = last ? firstIdAt("msg", Math.min(last.created_at, nowMs) - longestWayMs) : ""
    const { numAffectedRows } = await sql`
      INSERT INTO message_order (workspace_id, message_id)
      SELECT workspace_id, id FROM message
      WHERE workspace_id = ${workspaceId} AND response_id IS NOT NULL AND id > ${from}
        AND NOT EXISTS (SELECT 1 FROM message_order WHERE message_id = message.id)
      ORDER BY id LIMIT ${sql.lit(atMost)}`.execute(transaction)
    return Number(numAffectedRows ?? 0)
  })
}

async function lastPlaced(db: Db, workspaceId: string) {
  return db
    .selectFrom("message_order")
    .innerJoin("message", "message.id", "message_order.message_id")
    .select(["position", "message.created_at"])
    .where("message_order.workspace_id", "=", workspaceId)
    .orderBy("position", "desc")
    .limit(1)
    .executeTakeFirst()
}
