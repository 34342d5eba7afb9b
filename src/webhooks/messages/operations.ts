import { Type } from "@sinclair/typebox"
import type { Clock } from "../../base/clock.ts"
import { detail, required } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { withLock } from "../../db/with-lock.ts"
import { dayOrTime, oneOf } from "../../http/record/schemas.ts"
import { idOf, operation } from "../../operations/operation.ts"
import { cancelOne } from "../endpoints/cancel.ts"
import { eventTypes } from "../endpoints/event-types.ts"
import { endpointOperation } from "../endpoints/operations.ts"
import { findDelivery } from "./delivery-log.ts"
import { sendNeverSent } from "./never-sent.ts"
import { replay } from "./replay.ts"
import { cancelReplay } from "./replay-progress.ts"
import { resend } from "./resend.ts"
import { sendTest, type TestValues } from "./test-message.ts"

export interface MessageDeps {
  db: Db
  clock: Clock
  messageQueue: { wake(): void; invalidateClaims(): void }
  /** The invented values of a test message: a face words them. */
  testValues: TestValues
  config: { timezone: string }
}

/** Sends an endpoint a message of any type, asked for or not, with invented data. Refuses as `sendTest` does. */
export const testEndpoint = endpointOperation({
  audit: "endpoint.tested",
  needs: ["endpoints:write"],
  input: Type.Object({ type: Type.Optional(oneOf(eventTypes)) }, { $id: "NewTest" }),
  async run(
    { db, clock, messageQueue, testValues, config }: MessageDeps,
    { workspaceId, input: { type } },
    endpoint,
  ) {
    const at = { timezone: config.timezone, nowMs: clock.now() }
    const deliveryId = await sendTest(db, workspaceId, endpoint.id, testValues, at, type)
    messageQueue.wake()
    return { endpoint, deliveryId }
  },
})

/** `never_sent`: what was received before the endpoint was there, or while its filter kept it away. */
const replayed = ["undelivered", "never_sent"] as const

/** Sends again what failed or was cancelled since a time, or what was never sent. Refuses as `replay` does. */
export const replayDeliveries = endpointOperation({
  audit: "deliveries.replayed",
  needs: ["endpoints:write"],
  input: Type.Object({ since: dayOrTime(), messages: Type.Optional(oneOf(replayed)) }, { $id: "NewReplay" }),
  isLong: true,
  async run({ db, clock, messageQueue }: MessageDeps, { workspaceId, input }, endpoint) {
    const replayedAtMs = clock.now()
    const place = { workspaceId, endpointId: endpoint.id }
    const send = input.messages === "never_sent" ? sendNeverSent : replay
    const count = await send(db, place, input.since, replayedAtMs)
    messageQueue.wake()
    return { endpoint, count, replayedAtMs }
  },
})

export const cancelRunningReplay = endpointOperation({
  audit: "replay.cancelled",
  needs: ["endpoints:write"],
  input: Type.Object({ replayed_at: dayOrTime() }, { $id: "NewReplayCancellation" }),
  isLong: true,
  async run({ db, clock, messageQueue }: MessageDeps, { input }, endpoint) {
    const count = await cancelReplay(db, endpoint.id, input.replayed_at, clock.now())
    messageQueue.invalidateClaims()
    return { endpoint, count }
  },
})

/**
 * Cancels the attempts to come of a delivery: one in flight runs to its end. Of an endpoint in order the next one
 * goes.
 * Refuses `conflict` where none is to come.
 */
export const cancelDelivery = operation({
  audit: "delivery.cancelled",
  needs: ["endpoints:write"],
  async run({ db, clock, messageQueue }: MessageDeps, { workspaceId, ids }) {
    const id = idOf({ ids }, "delivery")
    const delivery = required(await findDelivery(db, workspaceId, id), detail("webhooks.unknownDelivery"))
    await withLock(db, `delivery:${id}`, (transaction) => cancelOne(transaction, id, clock.now()))
    messageQueue.invalidateClaims()
    return { id, messageId: delivery.message_id }
  },
  subject: ({ id, messageId }) => ({ id, name: messageId }),
})

export const resendDelivery = operation({
  audit: "delivery.resent",
  needs: ["endpoints:write"],
  async run({ db, clock, messageQueue }: MessageDeps, { workspaceId, ids }) {
    const id = idOf({ ids }, "delivery")
    const delivery = required(await findDelivery(db, workspaceId, id), detail("webhooks.unknownDelivery"))
    await resend(db, workspaceId, id, clock.now())
    messageQueue.wake()
    return { id, messageId: delivery.message_id, attemptsBefore: delivery.attempts.length }
  },
  subject: ({ id, messageId }) => ({ id, name: messageId }),
})
