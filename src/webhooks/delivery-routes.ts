import { Elysia } from "elysia"
import type { Clock } from "../clock.ts"
import type { Db } from "../db/connection.ts"
import type { DeliveryState } from "../db/tables/webhooks.ts"
import { Refusal } from "../errors.ts"
import { bearer } from "../http/bearer.ts"
import { readObject } from "../http/body.ts"
import { fieldsOf } from "../http/fields.ts"
import { listed, pageOf } from "../http/list.ts"
import { sentences as httpSentences } from "../http/sentences.ts"
import { findDelivery, listDeliveries } from "./delivery-log.ts"
import { replay } from "./replay.ts"
import { resend } from "./resend.ts"
import { sentences } from "./sentences.ts"
import { sendTest } from "./test-message.ts"

const maxBodyBytes = 4 * 1024
const states: readonly DeliveryState[] = ["pending", "delivered", "failed", "cancelled"]

interface Parts {
  db: Db
  clock: Clock
  /** Tells the dispatcher that something is due. */
  wake(): void
}

/** The delivery log of an endpoint, and what sends again: resend, replay, test message. */
export function deliveryRoutes({ db, clock, wake }: Parts) {
  return new Elysia({ name: "deliveries", prefix: "/api/v1" })
    .use(bearer({ db, clock }))
    .get("/endpoints/:id/deliveries", async ({ params, query, workspaceId }) => {
      await ownEndpoint(db, workspaceId, params.id)
      const page = pageOf(query)
      const filter = { ...filterOf(query), after: page.after, atMost: page.limit + 1 }
      const rows = await listDeliveries(db, params.id, filter)
      return listed(
        rows,
        page,
        (row) => row.id,
        (row) => row,
      )
    })
    .post("/endpoints/:id/tests", async ({ params, workspaceId, set }) => {
      const deliveryId = await sendTest(db, workspaceId, params.id, clock.now())
      wake()
      set.status = 202
      return { delivery_id: deliveryId }
    })
    .post(
      "/endpoints/:id/replays",
      async ({ params, request, workspaceId, set }) => {
        const sinceMs = sinceIn(await readObject(request, maxBodyBytes))
        const endpoint = { workspaceId, endpointId: params.id }
        const count = await replay(db, endpoint, sinceMs, clock.now())
        wake()
        set.status = 202
        return { count }
      },
      { parse: "none" },
    )
    .get("/deliveries/:id", async ({ params, workspaceId }) => {
      const delivery = await findDelivery(db, workspaceId, params.id)
      if (!delivery) throw new Refusal("not_found", sentences.unknownDelivery)
      return delivery
    })
    .post("/deliveries/:id/attempts", async ({ params, workspaceId, set }) => {
      await resend(db, workspaceId, params.id, clock.now())
      wake()
      set.status = 202
      return { delivery_id: params.id }
    })
}

async function ownEndpoint(db: Db, workspaceId: string, id: string): Promise<void> {
  const endpoint = await db
    .selectFrom("endpoint")
    .select("id")
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst()
  if (!endpoint) throw new Refusal("not_found", sentences.unknownEndpoint)
}

function filterOf(query: Record<string, string | undefined>) {
  const fields: Record<string, string> = {}
  const state = states.find((known) => known === query["state"])
  if (query["state"] !== undefined && !state) fields["state"] = sentences.state
  const sinceMs = query["since"] === undefined ? undefined : timeOf(query["since"])
  if (query["since"] !== undefined && sinceMs === undefined) fields["since"] = sentences.since
  if (Object.keys(fields).length > 0)
    throw new Refusal("invalid_request", httpSentences.invalidRequest, { fields })
  return { state, sinceMs }
}

function sinceIn(body: Record<string, unknown>): number {
  const fields = fieldsOf(body)
  const since = fields.text("since")
  fields.refuseWrong("since")
  const sinceMs = timeOf(since as string)
  if (sinceMs === undefined)
    throw new Refusal("invalid_request", httpSentences.wrongFields, { fields: { since: sentences.since } })
  return sinceMs
}

/** A date, or a date and a time with their zone, in ISO 8601. */
function timeOf(text: string): number | undefined {
  const iso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/
  const atMs = iso.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(atMs) ? undefined : atMs
}
