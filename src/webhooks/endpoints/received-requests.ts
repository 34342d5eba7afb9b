import { dayMs } from "../../base/clock.ts"
import { newId } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { deleteInSteps } from "../../db/delete-in-steps.ts"
import { findRow, insertRows } from "../../db/store.ts"
import type { TestAnswer } from "../../db/tables/webhooks.ts"
import { lockingRows } from "../../db/words.ts"
import type { SignatureVerdict } from "./signature.ts"

export const requestsKept = 50
export const requestsKeptMs = dayMs

export interface IncomingRequest {
  endpointId: string
  headers: Headers
  bodyBytes: number
  signature: SignatureVerdict
  nowMs: number
}

/**
 * Keeps a request among the last ones of its endpoint, in the database, since any node may have received it.
 * Resolves to the answer that the endpoint is set to. The body is not kept: it is the payload of the message, and
 * is erased with it. Nothing is kept when the message is gone or erased.
 */
export function openRequestStore(db: Db) {
  return (incoming: IncomingRequest): Promise<TestAnswer> =>
    db.transaction().execute(async (transaction) => {
      const { endpointId, headers, bodyBytes, signature, nowMs } = incoming
      const endpoint = await findRow(transaction, "endpoint", { id: endpointId })
      const answer = endpoint?.test_answer ?? "ok"
      // An erasure that is under way is waited for, and a later one finds the row.
      const message = await transaction
        .selectFrom("message")
        .select("id")
        .where("id", "=", headers.get("webhook-id") ?? "")
        .where("workspace_id", "=", endpoint?.workspace_id ?? "")
        .where("payload", "is not", null)
        .$call(lockingRows(transaction))
        .executeTakeFirst()
      if (!message) return answer
      await insertRows(transaction, "test_request", {
        id: newId("req", nowMs),
        endpoint_id: endpointId,
        message_id: message.id,
        at: nowMs,
        headers: JSON.stringify([...headers]),
        body_bytes: bodyBytes,
        signature,
        answer,
      })
      await transaction
        .deleteFrom("test_request")
        .where("endpoint_id", "=", endpointId)
        .where("id", "not in", (query) =>
          query
            .selectFrom("test_request")
            .select("id")
            .where("endpoint_id", "=", endpointId)
            .orderBy("id", "desc")
            .limit(requestsKept),
        )
        .execute()
      return answer
    })
}

export interface ReceivedRequest {
  id: string
  messageId: string
  isTest: boolean
  at: number
  headers: [string, string][]
  bodyBytes: number
  signature: SignatureVerdict
  answer: TestAnswer
  /** The exact bytes, as text. */
  body: string
}

/** Newest first: the last requests that a test endpoint took within a day. */
export async function listReceivedRequests(
  db: Db,
  endpointId: string,
  nowMs: number,
): Promise<ReceivedRequest[]> {
  const rows = await db
    .selectFrom("test_request")
    .innerJoin("message", "message.id", "test_request.message_id")
    .selectAll("test_request")
    .select(["message.payload", "message.form_id"])
    .where("endpoint_id", "=", endpointId)
    .where("at", ">", nowMs - requestsKeptMs)
    .orderBy("test_request.id", "desc")
    .limit(requestsKept)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    messageId: row.message_id,
    isTest: row.form_id === null,
    at: row.at,
    headers: JSON.parse(row.headers),
    bodyBytes: row.body_bytes,
    signature: row.signature,
    answer: row.answer,
    body: row.payload === null ? "" : new TextDecoder().decode(row.payload),
  }))
}

export async function purgeReceivedRequests(db: Db, nowMs: number): Promise<void> {
  await deleteInSteps(db, "test_request", (request) => request("at", "<=", nowMs - requestsKeptMs))
}
