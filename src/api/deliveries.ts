import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { type Clock, isoTime } from "../base/clock.ts"
import { type Detail, detail, Refusal } from "../base/errors.ts"
import { parseTime } from "../base/time.ts"
import type { Db } from "../db/connection.ts"
import { deliveryStates } from "../db/tables/webhooks.ts"
import { extendReplyTimeout } from "../http/extend-timeout.ts"
import { bodyOf } from "../http/fields.ts"
import { listPage } from "../http/list.ts"
import { pageQuery } from "../http/operation.ts"
import { listOf } from "../http/schemas.ts"
import { requireEndpoint } from "../webhooks/endpoints/manage-endpoint.ts"
import { findDelivery, listDeliveries } from "../webhooks/messages/delivery-log.ts"
import { replay } from "../webhooks/messages/replay.ts"
import { cancelReplay } from "../webhooks/messages/replay-progress.ts"
import { resend } from "../webhooks/messages/resend.ts"
import { sendTest } from "../webhooks/messages/test-message.ts"
import { testValues } from "../wording/test-message.fr.ts"
import { area } from "./kit/area.ts"
import {
  deliveryAccepted,
  deliveryAnswer,
  deliveryQuery,
  deliveryWithPayload,
  newReplay,
  newReplayCancellation,
  replayAccepted,
  replayCancelled,
} from "./schemas/webhooks.ts"

const maxBodyBytes = 4 * 1024

interface DeliveryDeps {
  db: Db
  clock: Clock
  /** Wakes the dispatcher. */
  wake(): void
  /** Tells it that deliveries may have changed. */
  invalidateClaims(): void
}

/** The delivery log of an endpoint; resend, replay and test message. */
export function deliveryRoutes({ db, clock, wake, invalidateClaims }: DeliveryDeps) {
  const { bearer, operation } = area({ db, clock }, "endpoints")

  return new Elysia({ name: "deliveries", prefix: "/api/v1" })
    .use(bearer)
    .get(
      "/endpoints/:id/deliveries",
      async ({ params, query, workspaceId }) => {
        await requireEndpoint(db, workspaceId, params.id)
        return listPage(query, (part) => listDeliveries(db, params.id, { ...filterOf(query), ...part }))
      },
      operation({
        query: Type.Composite([deliveryQuery, pageQuery]),
        answers: { 200: listOf(deliveryAnswer) },
      }),
    )
    .post(
      "/endpoints/:id/tests",
      async ({ params, workspaceId, set }) => {
        const deliveryId = await sendTest(db, workspaceId, params.id, testValues, clock.now())
        wake()
        set.status = 202
        return { delivery_id: deliveryId }
      },
      operation({
        answers: { 202: deliveryAccepted },
        refuses: [409],
        audit: "endpoint.tested",
      }),
    )
    .post(
      "/endpoints/:id/replays",
      async ({ params, request, workspaceId, set }) => {
        await requireEndpoint(db, workspaceId, params.id)
        const { since } = await bodyOf(request, maxBodyBytes, newReplay)
        extendReplyTimeout(request)
        const endpoint = { workspaceId, endpointId: params.id }
        const nowMs = clock.now()
        const count = await replay(db, endpoint, timeIn(since), nowMs)
        wake()
        set.status = 202
        return { count, replayed_at: isoTime(nowMs) }
      },
      operation({
        body: newReplay,
        answers: { 202: replayAccepted },
        refuses: [409],
        audit: "deliveries.replayed",
      }),
    )
    .post(
      "/endpoints/:id/replay-cancellations",
      async ({ params, request, workspaceId }) => {
        await requireEndpoint(db, workspaceId, params.id)
        const { replayed_at } = await bodyOf(request, maxBodyBytes, newReplayCancellation)
        const replayedAtMs = parseTime(replayed_at)
        if (replayedAtMs === undefined) throw notATime("replayed_at")
        extendReplyTimeout(request)
        const count = await cancelReplay(db, params.id, replayedAtMs, clock.now())
        invalidateClaims()
        return { count }
      },
      operation({
        body: newReplayCancellation,
        answers: { 200: replayCancelled },
        audit: "replay.cancelled",
      }),
    )
    .get(
      "/deliveries/:id",
      async ({ params, workspaceId }) => {
        const delivery = await findDelivery(db, workspaceId, params.id)
        if (!delivery) throw new Refusal("not_found", detail("webhooks.unknownDelivery"))
        return delivery
      },
      operation({
        answers: { 200: deliveryWithPayload },
      }),
    )
    .post(
      "/deliveries/:id/attempts",
      async ({ params, workspaceId, set }) => {
        await resend(db, workspaceId, params.id, clock.now())
        wake()
        set.status = 202
        return { delivery_id: params.id }
      },
      operation({
        answers: { 202: deliveryAccepted },
        refuses: [409],
        audit: "delivery.resent",
      }),
    )
}

function filterOf(query: Record<string, string | undefined>) {
  const fields: Record<string, Detail> = {}
  const state = deliveryStates.find((known) => known === query["state"])
  if (query["state"] !== undefined && !state) fields["state"] = detail("webhooks.state")
  const sinceMs = query["since"] === undefined ? undefined : parseTime(query["since"])
  if (query["since"] !== undefined && sinceMs === undefined) fields["since"] = detail("webhooks.since")
  if (Object.keys(fields).length > 0)
    throw new Refusal("invalid_request", detail("requests.invalidRequest"), { fields })
  return { state, sinceMs }
}

/** Throws Refusal `invalid_request` that names the field `since`. */
function timeIn(since: string): number {
  const sinceMs = parseTime(since)
  if (sinceMs === undefined) throw notATime("since")
  return sinceMs
}

function notATime(field: string): Refusal {
  return new Refusal("invalid_request", detail("requests.wrongFields"), {
    fields: { [field]: detail("webhooks.since") },
  })
}
