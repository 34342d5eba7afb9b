import type { Db } from "../../db/connection.ts"
import type { DeliveryState, EndpointKind } from "../../db/tables/webhooks.ts"
import { eachOf } from "../../db/words.ts"

/** A delivery of the message that announced a form response. */
export interface ResponseDelivery {
  id: string
  state: DeliveryState
  attemptsMade: number
  createdAt: number
  /** When the last attempt ended it; null while one is due. */
  endedAt: number | null
  endpoint: { id: string; kind: EndpointKind; url: string; description: string } | null
}

export interface Recipients {
  endpoints: { id: string; url: string; description: string }[]
  /** Whether an endpoint that is removed by now was one of them. */
  hadRemoved: boolean
}

/**
 * The endpoints at which delivery of these form responses was tried, which may have kept them: one that answered
 * too late has the message too. The built-in test receiver does not count. Deliveries of more than 30 days ago
 * are not known any more.
 */
export async function recipientsOfResponses(db: Db, responseIds: readonly string[]): Promise<Recipients> {
  const endpointsById = new Map<string, Recipients["endpoints"][number]>()
  let hadRemoved = false
  for (let from = 0; from < responseIds.length; from += lookedUpAtOnce) {
    const some = responseIds.slice(from, from + lookedUpAtOnce)
    const rows = await db
      .selectFrom("message")
      .innerJoin("delivery", "delivery.message_id", "message.id")
      .leftJoin("endpoint", "endpoint.id", "delivery.endpoint_id")
      .select(["endpoint.id", "endpoint.url", "endpoint.description", "endpoint.kind"])
      .where("message.response_id", "in", eachOf(db, JSON.stringify(some)))
      .where("delivery.attempts_made", ">", 0)
      .distinct()
      .execute()
    for (const { id, url, description, kind } of rows)
      if (id === null) hadRemoved = true
      else if (kind !== "test") endpointsById.set(id, { id, url: url ?? "", description: description ?? "" })
  }
  return { endpoints: [...endpointsById.values()], hadRemoved }
}

const lookedUpAtOnce = 500

/** Those of these form responses that have a delivery to come. */
export async function pendingResponses(db: Db, responseIds: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom("message")
    .innerJoin("delivery", "delivery.message_id", "message.id")
    .select("message.response_id")
    .where("message.response_id", "in", eachOf(db, JSON.stringify(responseIds)))
    .where("delivery.state", "=", "pending")
    .distinct()
    .execute()
  return new Set(rows.map(({ response_id }) => response_id as string))
}

/** The deliveries of these form responses, by response id, oldest first. Those of more than 30 days ago are gone. */
export async function deliveriesOfResponses(
  db: Db,
  responseIds: readonly string[],
): Promise<Map<string, ResponseDelivery[]>> {
  if (responseIds.length === 0) return new Map()
  const rows = await db
    .selectFrom("message")
    .innerJoin("delivery", "delivery.message_id", "message.id")
    .leftJoin("endpoint", "endpoint.id", "delivery.endpoint_id")
    .select([
      "message.response_id",
      "delivery.id",
      "delivery.state",
      "delivery.attempts_made",
      "delivery.created_at",
      "delivery.ended_at",
      "endpoint.id as endpoint_id",
      "endpoint.kind",
      "endpoint.url",
      "endpoint.description",
    ])
    .where("message.response_id", "in", eachOf(db, JSON.stringify(responseIds)))
    .orderBy("delivery.id")
    .execute()
  const deliveriesByResponse = new Map<string, ResponseDelivery[]>()
  for (const row of rows) {
    const responseId = row.response_id as string
    deliveriesByResponse.set(responseId, [
      ...(deliveriesByResponse.get(responseId) ?? []),
      {
        id: row.id,
        state: row.state,
        attemptsMade: row.attempts_made,
        createdAt: row.created_at,
        endedAt: row.ended_at,
        endpoint:
          row.endpoint_id === null
            ? null
            : {
                id: row.endpoint_id,
                kind: row.kind ?? "https",
                url: row.url ?? "",
                description: row.description ?? "",
              },
      },
    ])
  }
  return deliveriesByResponse
}
