import { type Static, Type } from "@sinclair/typebox"
import { maxUrlLength } from "../../base/text.ts"
import { deliveryStates, testAnswers } from "../../db/tables/webhooks.ts"
import { dayOrTime, line, oneOf, projectId, textOrNull, time, timeOrNull } from "../../http/schemas.ts"
import { maxDescriptionLength } from "../../webhooks/endpoints/endpoint.ts"
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

/** The name is judged further: against the list of public suffixes, and by the addresses it resolves to. */
const webhookPattern =
  "^https://([A-Za-z0-9]+(-[A-Za-z0-9]+)*\\.)+[A-Za-z]{2,}(:443)?(/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*)?(\\?[A-Za-z0-9._~!$&'()*+,;=:@%/?-]*)?$"

/**
 * No other fields: an endpoint whose `projects` was mistyped would get every form of the workspace, those of
 * other clients too.
 */
const described = Type.Object(
  {
    url: Type.Optional(
      Type.String({
        pattern: webhookPattern,
        maxLength: maxUrlLength,
        description: "https, port 443, a public domain name that leads to a public address",
      }),
    ),
    description: Type.Optional(line({ maxLength: maxDescriptionLength })),
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
  { additionalProperties: false },
)

export const newEndpoint = Type.Composite(
  [
    Type.Object({
      kind: Type.Optional(
        oneOf(["https", "test"], {
          description:
            "`test`: the receiver within Guichet, without `url`, one a workspace; `https` otherwise",
        }),
      ),
    }),
    described,
  ],
  {
    $id: "NewEndpoint",
    additionalProperties: false,
    anyOf: [
      { required: ["url"], properties: { kind: { const: "https" } } },
      { required: ["kind"], properties: { kind: { const: "test" }, url: false } },
    ],
  },
)

/** By its kind: the fields of each, so that every wrong one is named at once. */
export const endpointOfKind = {
  https: Type.Composite([newEndpoint, Type.Object({ url: Type.Required(described).properties.url })], {
    additionalProperties: false,
  }),
  test: newEndpoint,
}

export const endpointChange = Type.Composite(
  [
    described,
    Type.Object({
      test_answer: Type.Optional(
        oneOf(testAnswers, {
          description: "what the receiver within Guichet answers; for `kind` `test` alone",
        }),
      ),
    }),
  ],
  { $id: "NewEndpointChange", additionalProperties: false },
)

export const endpointAnswer = Type.Object(
  {
    id: Type.String(),
    kind: oneOf(["https", "test"]),
    url: Type.String(),
    test_answer: Type.Union([oneOf(testAnswers), Type.Null()], {
      description: "null unless `kind` is `test`",
    }),
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

const header = Type.Object({ name: Type.String(), value: Type.String() })

export const takenRequest = Type.Object(
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

export const takenRequests = Type.Object({ items: Type.Array(takenRequest) }, { $id: "TestRequests" })

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
export const newReplay = Type.Object({ since: dayOrTime() }, { $id: "NewReplay" })
export const replayAccepted = Type.Object(
  { count: Type.Integer({ minimum: 0 }), replayed_at: time },
  { $id: "ReplayTaken" },
)

export const newReplayCancellation = Type.Object(
  { replayed_at: dayOrTime() },
  { $id: "NewReplayCancellation" },
)
export const replayCancelled = Type.Object(
  { count: Type.Integer({ minimum: 0 }) },
  { $id: "ReplayCancelled" },
)
