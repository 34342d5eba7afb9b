import { Type } from "@sinclair/typebox"
import { deliveryStates, testAnswers } from "../../db/tables/webhooks.ts"
import { dayOrTime, oneOf, textOrNull, time, timeOrNull } from "../../http/schemas.ts"
import { maxPolled } from "../../webhooks/messages/message-order.ts"

/** Request and response bodies of webhooks: they check what is read, and `openapi.json` publishes them. */

const outcomes = [
  "delivered",
  "http_status",
  "timeout",
  "dns",
  "connection",
  "tls",
  "protocol",
  "private_address",
  "interrupted",
] as const

const header = Type.Object({ name: Type.String(), value: Type.String() })

export const receivedRequest = Type.Object(
  {
    id: Type.String(),
    message_id: Type.String({ description: "`webhook-id`" }),
    at: time,
    headers: Type.Array(header),
    body: Type.String({ description: "exactly as it came" }),
    signature: oneOf(["right", "wrong", "late"], {
      description: "`late`: `webhook-timestamp` differs by more than 5 minutes",
    }),
    answer: oneOf(testAnswers),
  },
  { $id: "TestRequest" },
)

export const receivedRequests = Type.Object({ items: Type.Array(receivedRequest) }, { $id: "TestRequests" })

export const messageQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      pattern: "^([0-9]{1,15}|end)$",
      description:
        "`next_cursor` of an answer before, or `end` for what comes from now on; the oldest without it",
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxPolled, default: maxPolled })),
})

export const polledMessages = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        id: Type.String({ description: "`webhook-id`" }),
        created_at: time,
        body: Type.String({ description: "exactly what a delivery carries" }),
      }),
    ),
    next_cursor: Type.String({ description: "for `after`, also when nothing came; it never expires" }),
    more: Type.Boolean({ description: "whether the next question has an answer at once" }),
  },
  { $id: "Messages" },
)

const attemptAnswer = Type.Object(
  {
    number: Type.Integer({ minimum: 1 }),
    kind: oneOf(["automatic", "manual"]),
    at: time,
    outcome: oneOf(outcomes),
    status: Type.Union([Type.Integer(), Type.Null()]),
    duration_ms: Type.Union([Type.Number(), Type.Null()]),
    response_excerpt: textOrNull,
    response_headers: Type.Union([Type.Array(header), Type.Null()], {
      description: "at most 16 of the answer, 200 bytes each, without cookies",
    }),
  },
  { $id: "Attempt" },
)

export const deliveryAnswer = Type.Object(
  {
    id: Type.String(),
    message_id: Type.String({ description: "`webhook-id`" }),
    endpoint_id: Type.String(),
    type: Type.String(),
    state: oneOf(deliveryStates),
    attempts_made: Type.Integer({ minimum: 0, maximum: 8 }),
    next_attempt_at: timeOrNull,
    created_at: time,
    attempts: Type.Array(attemptAnswer),
  },
  { $id: "Delivery" },
)

export const deliveryWithPayload = Type.Composite(
  [deliveryAnswer, Type.Object({ payload: Type.Union([Type.String(), Type.Null()]) })],
  { $id: "DeliveryWithPayload" },
)

export const deliveryQuery = Type.Object({
  state: Type.Optional(oneOf(deliveryStates)),
  since: Type.Optional(dayOrTime()),
})

export const deliveryAccepted = Type.Object({ delivery_id: Type.String() }, { $id: "DeliveryTaken" })
export const replayAccepted = Type.Object(
  { count: Type.Integer({ minimum: 0 }), replayed_at: time },
  { $id: "ReplayTaken" },
)

export const replayCancelled = Type.Object(
  { count: Type.Integer({ minimum: 0 }) },
  { $id: "ReplayCancelled" },
)
