import type { ExpressionBuilder } from "kysely"
import { firstIdAt } from "../../base/ids.ts"
import { fold } from "../../base/text.ts"
import type { Db } from "../../db/connection.ts"
import { inPortions } from "../../db/portions.ts"
import type { Schema } from "../../db/schema.ts"
import type { DeliveryState, Outcome } from "../../db/tables/webhooks.ts"
import { contains } from "../../db/words.ts"
import type { FailureCause } from "../../outbound/failure.ts"
import type { EventType } from "../endpoints/event-types.ts"

/** Which deliveries of a workspace are looked for; what is undefined does not matter. */
export interface DeliverySearch {
  endpointId?: string | undefined
  formId?: string | undefined
  type?: EventType | undefined
  /** `failing`: given up, or tried in vain and to be tried again. */
  state?: DeliveryState | "failing" | undefined
  /** How the last attempt ended: by these statuses, or with this outcome. */
  result?: { from: number; to: number } | { outcome: Outcome } | undefined
  sinceMs?: number | undefined
  untilMs?: number | undefined
  /** Words of the person or of the values, or the id of a message or delivery. */
  text?: string | undefined
}

export interface FoundDelivery {
  number: number
  id: string
  messageId: string
  endpointId: string
  formId: string | null
  type: string
  /** null: erased, or nothing was typed. */
  person: string | null
  state: DeliveryState
  attemptsMade: number
  createdAt: number
  lastOutcome: Outcome | null
  lastStatus: number | null
  lastDurationMs: number | null
  lastCause: FailureCause | null
  isBeingResent: boolean
  isWaiting: boolean
}

export interface DeliveryHits {
  deliveries: FoundDelivery[]
  next: string | null
  /** The scan limit was reached before the page was full. */
  isCutShort: boolean
}

/** Messages after which a search stops for its reader to decide. */
const mostLookedAt = 100_000
/** More than any number of a delivery: all those of a message come after it. */
const afterAll = 999_999_999_999_999
const maxWords = 5
const maxTextLength = 100
const cursorPattern = /^(msg_[0-9a-f]{1,40})\.(\d{1,15})$/

/**
 * Newest first. Messages are read in portions from an index that holds all that is asked of them, with a tick of the
 * event loop between, and no search looks at more than `mostLookedAt` of them.
 */
export async function searchDeliveries(
  db: Db,
  workspaceId: string,
  search: DeliverySearch,
  { cursor, atMost }: { cursor: string | undefined; atMost: number },
): Promise<DeliveryHits> {
  const bounds = searchBounds(search)
  const first = placeIn(cursor, bounds)
  const placeAfter = (id: string | undefined) =>
    id === undefined ? first : { messageId: id, number: afterAll }
  const keyAt = (after: string | undefined, offset: number) =>
    messageAt(db, workspaceId, bounds, placeAfter(after), offset)
  const matches: Row[] = []
  let stoppedAt: string | undefined
  for await (const { after, last } of inPortions(db, keyAt, { mostRows: mostLookedAt })) {
    const portion = { search, bounds, place: placeAfter(after), chunk: last }
    matches.push(...(await findIn(db, workspaceId, portion, atMost + 1 - matches.length)))
    if (matches.length > atMost)
      return { ...(await withPersons(db, matches.slice(0, atMost))), isCutShort: false }
    stoppedAt = last
  }
  const next = stoppedAt === undefined ? null : `${stoppedAt}.${afterAll}`
  return { ...(await withPersons(db, matches)), next, isCutShort: next !== null }
}

interface Bounds {
  /** Ids of messages: from the first to before the second. */
  from: string
  to: string
}

/** The delivery after which the search goes on: those of the message with a lower number, then older messages. */
interface Place {
  messageId: string
  number: number
}

interface Row extends Omit<FoundDelivery, "person" | "isBeingResent" | "isWaiting"> {
  resendAt: number | null
  waitsSince: number | null
}

function searchBounds({ sinceMs = 0, untilMs }: DeliverySearch): Bounds {
  return { from: firstIdAt("msg", sinceMs), to: untilMs === undefined ? "msg_g" : firstIdAt("msg", untilMs) }
}

/** Undefined where the cursor names no message within the bounds: the search begins at their upper end. */
function placeIn(cursor: string | undefined, { to }: Bounds): Place | undefined {
  const [, messageId, number] = cursorPattern.exec(cursor ?? "") ?? []
  return messageId === undefined || messageId >= to ? undefined : { messageId, number: Number(number) }
}

/**
 * With one bound at each end: of two, SQLite seeks by the first and walks to the second, from the newest message at
 * each portion.
 */
function inBounds(db: Db, workspaceId: string, { from, to }: Bounds, place: Place | undefined) {
  return db
    .selectFrom("message")
    .where("workspace_id", "=", workspaceId)
    .where("id", ">=", from)
    .$call((query) => (place ? query.where("id", "<=", place.messageId) : query.where("id", "<", to)))
    .orderBy("id", "desc")
}

/** The message that stands `offset` messages behind a place; undefined where there are fewer. */
async function messageAt(
  db: Db,
  workspaceId: string,
  bounds: Bounds,
  place: Place | undefined,
  offset: number,
): Promise<string | undefined> {
  const row = await inBounds(db, workspaceId, bounds, place)
    .select("id")
    .offset(offset)
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

interface Portion {
  search: DeliverySearch
  bounds: Bounds
  place: Place | undefined
  chunk: string | undefined
}

async function findIn(
  db: Db,
  workspaceId: string,
  { search, bounds, place, chunk }: Portion,
  atMost: number,
): Promise<Row[]> {
  const { endpointId, formId, type, state, result, text } = search
  const wanted = (text ?? "").trim().slice(0, maxTextLength)
  const isId = /^(msg|dlv)_[0-9a-f]{32}$/.test(wanted)
  const words = isId ? [] : fold(wanted).split(/\s+/).filter(Boolean).slice(0, maxWords)
  return (
    db
      .selectFrom("message")
      .innerJoin("delivery", "delivery.message_id", "message.id")
      .select([
        "delivery.number",
        "delivery.id",
        "delivery.message_id as messageId",
        "endpoint_id as endpointId",
      ])
      .select(["message.form_id as formId", "message.type", "state", "attempts_made as attemptsMade"])
      .select(["delivery.created_at as createdAt", "resend_at as resendAt", "waits_since as waitsSince"])
      .select(["last_outcome as lastOutcome", "last_status as lastStatus"])
      .select(["last_duration_ms as lastDurationMs", "last_cause as lastCause"])
      .where("message.workspace_id", "=", workspaceId)
      // The last message of a portion is read with the next one, and all its deliveries there.
      .$call((query) =>
        chunk === undefined
          ? query.where("message.id", ">=", bounds.from)
          : query.where("message.id", ">", chunk),
      )
      .$call((query) => {
        if (!place) return query.where("message.id", "<", bounds.to)
        const { messageId, number } = place
        return query
          .where("message.id", "<=", messageId)
          .where((row) => row.or([row("message.id", "<", messageId), row("delivery.number", "<", number)]))
      })
      .$if(formId !== undefined, (query) => query.where("message.form_id", "=", formId as string))
      .$if(type !== undefined, (query) => query.where("message.type", "=", type as EventType))
      .$if(isId, (query) =>
        query.where((row) => row.or([row("message.id", "=", wanted), row("delivery.id", "=", wanted)])),
      )
      .$call((query) =>
        words.reduce((narrowed, word) => narrowed.where(contains(db, "search_text", word)), query),
      )
      .$if(endpointId !== undefined, (query) => query.where("endpoint_id", "=", endpointId as string))
      .$if(state === "failing", (query) => query.where(isFailing))
      .$if(state !== undefined && state !== "failing", (query) =>
        query.where("state", "=", state as DeliveryState),
      )
      .$if(result !== undefined, (query) =>
        result && "outcome" in result
          ? query.where("last_outcome", "=", result.outcome)
          : query.where("last_status", ">=", result?.from ?? 0).where("last_status", "<=", result?.to ?? 0),
      )
      .orderBy("message.id", "desc")
      .orderBy("delivery.number", "desc")
      .limit(atMost)
      .execute()
  )
}

function isFailing(row: ExpressionBuilder<Schema, "delivery">) {
  return row.or([
    row("state", "=", "failed"),
    row.and([row("state", "=", "pending"), row("attempts_made", ">", 0)]),
  ])
}

/** `person` is in no index: it is read for the shown rows alone. */
async function withPersons(db: Db, rows: readonly Row[]): Promise<Pick<DeliveryHits, "deliveries" | "next">> {
  const persons = new Map<string, string | null>()
  if (rows.length > 0)
    for (const { id, person } of await db
      .selectFrom("message")
      .select(["id", "person"])
      .where(
        "id",
        "in",
        rows.map(({ messageId }) => messageId),
      )
      .execute())
      persons.set(id, person)
  const last = rows.at(-1)
  return {
    deliveries: rows.map(({ resendAt, waitsSince, ...row }) => ({
      ...row,
      person: persons.get(row.messageId) ?? null,
      isBeingResent: resendAt !== null,
      isWaiting: waitsSince !== null,
    })),
    next: last ? `${last.messageId}.${last.number}` : null,
  }
}
