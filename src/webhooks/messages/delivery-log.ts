import type { Static } from "@sinclair/typebox"
import { type InferResult, sql } from "kysely"
import { isoTime } from "../../base/clock.ts"
import { firstIdAt } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { bytesOf } from "../../db/delete-in-steps.ts"
import { inPortions, type Portion } from "../../db/portions.ts"
import { type PageRequest, rowsOfPage } from "../../db/search.ts"
import type { AttemptKind, DeliveryState } from "../../db/tables/webhooks.ts"
import type { PageRead } from "../../http/list.ts"
import { hasState } from "../endpoints/replayable.ts"
import type { deliveryRecord } from "./record.ts"
import { waitsByDelivery } from "./waits.ts"

/** A delivery as the API shows it, its attempts oldest first. `attempts_made`: automatic ones, at most 8. */
export type LoggedDelivery = Static<typeof deliveryRecord>
export type LoggedAttempt = LoggedDelivery["attempts"][number]

/** Deliveries that a process has claimed, as its lease names them: their numbers, by the kind of attempt. */
export type HeldDeliveries = Record<AttemptKind, number[]>

export interface DeliveryFilter {
  state: DeliveryState | undefined
  sinceMs: number | undefined
}

/** Deliveries after which a list stops for its reader to go on. */
const mostLookedAt = 100_000

/** Newest first: those older than the id `after`, at most `atMost`, and fewer where their attempts are long. */
export async function listDeliveries(
  db: Db,
  endpointId: string,
  { state, sinceMs = 0 }: DeliveryFilter,
  { after, atMost }: PageRequest,
): Promise<PageRead<LoggedDelivery>> {
  const within = ({ after, last }: Portion) =>
    db
      .selectFrom("delivery")
      .where("endpoint_id", "=", endpointId)
      .where("delivery.id", ">=", last ?? firstIdAt("dlv", sinceMs))
      .$if(after !== undefined, (query) => query.where("delivery.id", "<", after as string))
      .orderBy("delivery.id", "desc")
  const keyAt = async (after: string | undefined, offset: number) =>
    (await within({ after, last: undefined }).select("id").offset(offset).limit(1).executeTakeFirst())?.id
  const sized: { number: number; id: string; bytes: number }[] = []
  let next: string | null = null
  for await (const portion of inPortions(db, keyAt, { after, mostRows: mostLookedAt })) {
    const rows = await within(portion)
      .select(["number", "id", attemptBytes.as("bytes")])
      .$if(state !== undefined, (query) => query.where(hasState(state as DeliveryState)))
      .limit(atMost + 1 - sized.length)
      .execute()
    sized.push(...rows)
    next = portion.last ?? null
    if (sized.length > atMost) break
  }
  const count = rowsOfPage(sized, atMost)
  if (count < sized.length) next = sized[count - 1]?.id ?? null
  if (count === 0) return { rows: [], next }
  const numbers = sized.slice(0, count).map(({ number }) => number)
  const rows = await deliveryRows(db)
    .where("delivery.number", "in", numbers)
    .orderBy("delivery.id", "desc")
    .execute()
  return { rows: await withAttempts(db, rows), next }
}

const attemptBytes = sql<number>`(SELECT coalesce(sum(${bytesOf("response_excerpt", "response_headers")}), 0)
  FROM attempt WHERE delivery_number = delivery.number)`

/** Messages after which `hasDeliveries` stops: every page of a workspace without an application asks it. */
const mostAsked = 10_000

/** Whether the log holds any of the workspace. The oldest messages are looked at: later ones went nowhere. */
export async function hasDeliveries(db: Db, workspaceId: string): Promise<boolean> {
  const found = await db
    .selectFrom(({ selectFrom }) =>
      selectFrom("message")
        .select("id")
        .where("workspace_id", "=", workspaceId)
        .orderBy("id")
        .limit(mostAsked)
        .as("oldest"),
    )
    .select("oldest.id")
    .where(({ exists, selectFrom }) =>
      exists(selectFrom("delivery").select("number").whereRef("message_id", "=", "oldest.id")),
    )
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** `payload` is the exact body of every attempt; null once erased. */
export async function findDelivery(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<(LoggedDelivery & { payload: string | null }) | undefined> {
  const row = await deliveryRows(db)
    .select("message.payload")
    .where("delivery.id", "=", id)
    .where("message.workspace_id", "=", workspaceId)
    .executeTakeFirst()
  if (!row) return undefined
  const [delivery] = await withAttempts(db, [row])
  const payload = row.payload === null ? null : new TextDecoder().decode(row.payload)
  return { ...(delivery as LoggedDelivery), payload }
}

/** Where a message comes from, and its deliveries at every endpoint. */
export interface MessageContext {
  formId: string | null
  responseId: string | null
  deliveries: { id: string; endpointId: string; state: DeliveryState }[]
}

export async function messageContext(
  db: Db,
  workspaceId: string,
  messageId: string,
): Promise<MessageContext> {
  const rows = await db
    .selectFrom("message")
    .innerJoin("delivery", "delivery.message_id", "message.id")
    .select(["form_id", "response_id", "delivery.id", "endpoint_id", "state"])
    .where("message.id", "=", messageId)
    .where("workspace_id", "=", workspaceId)
    .orderBy("delivery.number")
    .execute()
  return {
    formId: rows[0]?.form_id ?? null,
    responseId: rows[0]?.response_id ?? null,
    deliveries: rows.map(({ id, endpoint_id, state }) => ({ id, endpointId: endpoint_id, state })),
  }
}

function deliveryRows(db: Db) {
  return db
    .selectFrom("delivery")
    .innerJoin("message", "message.id", "delivery.message_id")
    .select([
      "delivery.number",
      "delivery.id",
      "delivery.message_id",
      "delivery.endpoint_id",
      "message.type",
      "delivery.state",
    ])
    .select(["delivery.attempts_made", "delivery.last_cause", "delivery.created_at", "delivery.due_at"])
    .select(["delivery.waits_since", "delivery.cancel_reason"])
}

type Row = InferResult<ReturnType<typeof deliveryRows>>[number]

async function withAttempts(db: Db, rows: readonly Row[]): Promise<LoggedDelivery[]> {
  const numbers = rows.map(({ number }) => number)
  const [attempts, inFlight] = [await attemptsByDelivery(db, numbers), await numbersInFlight(db)]
  const waiting = rows.filter(({ waits_since }) => waits_since !== null)
  const waits = await waitsByDelivery(db, waiting)
  return rows.map(({ number, due_at, waits_since: _, created_at, ...row }) => ({
    ...row,
    cancel_reason: row.state === "cancelled" ? row.cancel_reason : null,
    ...(waits.get(number) ?? { waits_for: null, held_by: null }),
    next_attempt_at: due_at === null || inFlight.has(number) ? null : isoTime(due_at),
    created_at: isoTime(created_at),
    attempts: attempts.get(number) ?? [],
  }))
}

/** The deliveries whose automatic attempt a process holds at this moment. */
async function numbersInFlight(db: Db): Promise<Set<number>> {
  const leases = await db.selectFrom("lease").select("held").execute()
  return new Set(leases.flatMap(({ held }) => (JSON.parse(held) as HeldDeliveries).automatic))
}

async function attemptsByDelivery(db: Db, deliveryNumbers: readonly number[]) {
  const attempts = new Map<number, LoggedAttempt[]>(deliveryNumbers.map((number) => [number, []]))
  if (deliveryNumbers.length === 0) return attempts
  const rows = await db
    .selectFrom("attempt")
    .selectAll()
    .where("delivery_number", "in", deliveryNumbers)
    .orderBy("delivery_number")
    .orderBy("number")
    .execute()
  for (const { delivery_number, at, response_headers, ...row } of rows)
    attempts
      .get(delivery_number)
      ?.push({ ...row, at: isoTime(at), response_headers: pairs(response_headers) })
  return attempts
}

function pairs(stored: string | null): LoggedAttempt["response_headers"] {
  if (stored === null) return null
  return (JSON.parse(stored) as [string, string][]).map(([name, value]) => ({ name, value }))
}

export async function workspaceOfDelivery(db: Db, id: string): Promise<string | undefined> {
  const message = await db
    .selectFrom("delivery")
    .innerJoin("message", "message.id", "delivery.message_id")
    .select("message.workspace_id")
    .where("delivery.id", "=", id)
    .executeTakeFirst()
  return message?.workspace_id
}
