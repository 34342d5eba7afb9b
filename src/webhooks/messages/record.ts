import { Type } from "@sinclair/typebox"
import { deliveryStates } from "../../db/tables/webhooks.ts"
import { ruled, told } from "../../http/record/rule.ts"
import { dayOrTime, oneOf, orNull, textOrNull, time, timeOrNull } from "../../http/record/schemas.ts"
import { causeOrNull } from "../endpoints/record.ts"

/** Messages and their deliveries, as replies show them. */

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

export const maxPolled = 100

/** `end`: nothing of what there is already. */
const after = ruled(Type.Unsafe<number | "end">({ pattern: "^([0-9]{1,15}|end)$", type: "string" }), {
  absent: 0,
  read: (text: string) => (text === "end" ? text : /^\d{1,15}$/.test(text) ? Number(text) : undefined),
})

export const messageQuery = Type.Object({
  after: Type.Optional(told(after, "webhooks.after")),
  limit: Type.Optional(
    told(
      ruled(Type.Integer({ minimum: 1, maximum: maxPolled, default: maxPolled }), { absent: maxPolled }),
      "requests.limit",
      { maximum: maxPolled },
    ),
  ),
})

export const polledMessages = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        id: Type.String(),
        created_at: time,
        body: Type.String(),
      }),
    ),
    next_cursor: Type.String(),
    more: Type.Boolean(),
  },
  { $id: "Messages" },
)

const attemptRecord = Type.Object(
  {
    number: Type.Integer({ minimum: 1 }),
    kind: oneOf(["automatic", "manual"]),
    at: time,
    outcome: oneOf(outcomes),
    status: orNull(Type.Integer()),
    duration_ms: orNull(Type.Number()),
    cause: causeOrNull,
    address: textOrNull,
    response_excerpt: textOrNull,
    response_headers: orNull(Type.Array(header)),
  },
  { $id: "Attempt" },
)

export const deliveryRecord = Type.Object(
  {
    id: Type.String(),
    message_id: Type.String(),
    endpoint_id: Type.String(),
    type: Type.String(),
    state: oneOf(deliveryStates),
    attempts_made: Type.Integer({ minimum: 0, maximum: 8 }),
    last_cause: causeOrNull,
    next_attempt_at: timeOrNull,
    waits_for: orNull(oneOf(["order", "rate"])),
    held_by: textOrNull,
    cancel_reason: orNull(oneOf(["waited"])),
    created_at: time,
    attempts: Type.Array(attemptRecord),
  },
  { $id: "Delivery" },
)

export const deliveryWithPayload = Type.Composite([deliveryRecord, Type.Object({ payload: textOrNull })], {
  $id: "DeliveryWithPayload",
})

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
