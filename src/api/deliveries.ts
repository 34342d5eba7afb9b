import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { isoTime } from "../base/clock.ts"
import { type Detail, detail, Refusal, required } from "../base/errors.ts"
import { parseTime } from "../base/time.ts"
import { deliveryStates } from "../db/tables/webhooks.ts"
import { listPage } from "../http/list.ts"
import { pageQuery } from "../http/operation.ts"
import { listOf } from "../http/schemas.ts"
import { requireEndpoint } from "../webhooks/endpoints/endpoint.ts"
import { findDelivery, listDeliveries } from "../webhooks/messages/delivery-log.ts"
import {
  cancelRunningReplay,
  type MessageDeps,
  replayDeliveries,
  resendDelivery,
  testEndpoint,
} from "../webhooks/messages/operations.ts"
import { area } from "./kit/area.ts"
import {
  deliveryAccepted,
  deliveryAnswer,
  deliveryQuery,
  deliveryWithPayload,
  replayAccepted,
  replayCancelled,
} from "./schemas/webhooks.ts"

/** The delivery log of an endpoint; resend, replay and test message. */
export function deliveryRoutes(deps: MessageDeps) {
  const { db } = deps
  const { bearer, operation, performs } = area(deps, "endpoints")

  return new Elysia({ name: "deliveries", prefix: "/api/v1" })
    .use(bearer)
    .get(
      "/endpoints/:id/deliveries",
      async ({ params, query, workspaceId }) => {
        await requireEndpoint(db, workspaceId, params.id)
        const filter = filterOf(query)
        return listPage(
          query,
          ({ after, atMost }) => listDeliveries(db, params.id, filter, { after, atMost: atMost - 1 }),
          (delivery) => delivery,
        )
      },
      operation({
        query: Type.Composite([deliveryQuery, pageQuery]),
        answers: { 200: listOf(deliveryAnswer) },
      }),
    )
    .post(
      "/endpoints/:id/tests",
      ...performs(testEndpoint, {
        status: 202,
        schema: deliveryAccepted,
        json: ({ deliveryId }) => ({ delivery_id: deliveryId }),
        refuses: [409],
      }),
    )
    .post(
      "/endpoints/:id/replays",
      ...performs(replayDeliveries, {
        status: 202,
        schema: replayAccepted,
        json: ({ count, replayedAtMs }) => ({ count, replayed_at: isoTime(replayedAtMs) }),
        refuses: [409],
      }),
    )
    .post(
      "/endpoints/:id/replay-cancellations",
      ...performs(cancelRunningReplay, {
        status: 200,
        schema: replayCancelled,
        json: ({ count }) => ({ count }),
      }),
    )
    .get(
      "/deliveries/:id",
      async ({ params, workspaceId }) => {
        return required(await findDelivery(db, workspaceId, params.id), detail("webhooks.unknownDelivery"))
      },
      operation({
        answers: { 200: deliveryWithPayload },
      }),
    )
    .post(
      "/deliveries/:id/attempts",
      ...performs(resendDelivery, {
        status: 202,
        schema: deliveryAccepted,
        json: ({ id }) => ({ delivery_id: id }),
        refuses: [409],
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
