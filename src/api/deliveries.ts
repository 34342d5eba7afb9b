import { isoTime } from "../base/clock.ts"
import { detail, required } from "../base/errors.ts"
import { shown } from "../http/record/json.ts"
import { idOf } from "../operations/operation.ts"
import { requireEndpoint } from "../webhooks/endpoints/endpoint.ts"
import { findDelivery, type LoggedDelivery, listDeliveries } from "../webhooks/messages/delivery-log.ts"
import {
  cancelDelivery,
  cancelRunningReplay,
  replayDeliveries,
  resendDelivery,
  testEndpoint,
} from "../webhooks/messages/operations.ts"
import {
  deliveryAccepted,
  deliveryQuery,
  deliveryRecord,
  deliveryWithPayload,
  replayAccepted,
  replayCancelled,
} from "../webhooks/messages/record.ts"
import type { ApiDeps } from "./kit/api-deps.ts"
import { handlers } from "./kit/handlers.ts"

/** The log keeps deliveries as they are shown. */
const asItIs = <Logged extends LoggedDelivery>(delivery: Logged) => delivery

export function deliveryHandlers(deps: ApiDeps) {
  const { db } = deps
  const { performs, shows, lists } = handlers(deps)
  const accepted = { status: 202, schema: deliveryAccepted, refuses: [409] } as const

  return {
    list: lists(
      { schema: deliveryRecord, json: asItIs<LoggedDelivery> },
      async ({ query: { state, since }, workspaceId, ids }, { after, atMost }) => {
        const { id } = await requireEndpoint(db, workspaceId, idOf({ ids }, "endpoint"))
        return listDeliveries(db, id, { state, sinceMs: since }, { after, atMost: atMost - 1 })
      },
      { query: deliveryQuery },
    ),
    test: performs(testEndpoint, accepted),
    replay: performs(replayDeliveries, {
      status: 202,
      ...shown(replayAccepted, ({ replayedAtMs }: { replayedAtMs: number; count: number }) => ({
        replayed_at: isoTime(replayedAtMs),
      })),
      refuses: [409],
    }),
    cancelReplay: performs(cancelRunningReplay, { status: 200, schema: replayCancelled }),
    show: shows(
      { schema: deliveryWithPayload, json: asItIs<LoggedDelivery> },
      async ({ workspaceId, ids }) => {
        const match = await findDelivery(db, workspaceId, idOf({ ids }, "delivery"))
        return required(match, detail("webhooks.unknownDelivery"))
      },
    ),
    resend: performs(resendDelivery, { ...accepted, json: ({ id }) => ({ delivery_id: id }) }),
    cancel: performs(cancelDelivery, {
      status: 200,
      schema: deliveryAccepted,
      json: ({ id }) => ({ delivery_id: id }),
      refuses: [409],
    }),
  }
}
