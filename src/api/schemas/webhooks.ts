import { type Static, Type } from "@sinclair/typebox"
import { maxUrlLength } from "../../base/text.ts"
import { deliveryStates } from "../../db/tables/webhooks.ts"
import {
  changeOf,
  dayOrTime,
  oneOf,
  projectId,
  text,
  textOrNull,
  time,
  timeOrNull,
} from "../../http/schemas.ts"
import { maxDescriptionLength } from "../../webhooks/endpoints/endpoint.ts"

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

/** The name is judged further: against the list of public suffixes, and by the addresses it resolves to. */
const webhookPattern =
  "^https://([A-Za-z0-9]+(-[A-Za-z0-9]+)*\\.)+[A-Za-z]{2,}(:443)?(/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*)?(\\?[A-Za-z0-9._~!$&'()*+,;=:@%/?-]*)?$"

/**
 * No other fields: an endpoint whose `projects` was mistyped would get every form of the workspace, those of
 * other clients too.
 */
export const newEndpoint = Type.Object(
  {
    url: Type.String({
      pattern: webhookPattern,
      maxLength: maxUrlLength,
      description: "https, port 443, a public domain name that leads to a public address",
    }),
    description: Type.Optional(text({ maxLength: maxDescriptionLength })),
    active: Type.Optional(Type.Boolean()),
    projects: Type.Optional(
      Type.Array(projectId, {
        description: "gets the forms of these projects; with `forms` empty too: every form",
      }),
    ),
    forms: Type.Optional(
      Type.Array(Type.String({ pattern: "^form_[0-9a-f]{32}$" }), {
        description: "gets these forms of the workspace",
      }),
    ),
  },
  { $id: "NewEndpoint", additionalProperties: false },
)
export const endpointChange = changeOf(newEndpoint)

export const endpointAnswer = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    description: Type.String(),
    active: Type.Boolean(),
    limited: Type.Boolean(),
    projects: Type.Array(Type.String()),
    forms: Type.Array(Type.String()),
    created_at: time,
    failing: Type.Union(
      [
        Type.Object({
          since: time,
          last_at: time,
          answer: Type.String({ description: "an HTTP status, an outcome, or `gone` for 410" }),
        }),
        Type.Null(),
      ],
      { description: "set once every attempt has failed for 24 hours" },
    ),
  },
  { $id: "Endpoint" },
)
export type EndpointAnswer = Static<typeof endpointAnswer>

export const secretAnswer = Type.Object({ secret: Type.String({ pattern: "^whsec_" }) }, { $id: "Secret" })
export const madeEndpoint = Type.Composite([endpointAnswer, secretAnswer], { $id: "MadeEndpoint" })

const attemptAnswer = Type.Object(
  {
    number: Type.Integer({ minimum: 1 }),
    kind: oneOf(["automatic", "manual"]),
    at: time,
    outcome: oneOf(outcomes),
    status: Type.Union([Type.Integer(), Type.Null()]),
    duration_ms: Type.Union([Type.Number(), Type.Null()]),
    response_excerpt: textOrNull,
    response_headers: Type.Union(
      [Type.Array(Type.Object({ name: Type.String(), value: Type.String() })), Type.Null()],
      { description: "at most 16 of the answer, 200 bytes each, without cookies" },
    ),
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
export const newReplay = Type.Object({ since: dayOrTime() }, { $id: "NewReplay" })
export const replayAccepted = Type.Object({ count: Type.Integer({ minimum: 0 }) }, { $id: "ReplayTaken" })
