import { Type } from "@sinclair/typebox"
import { maxUrlLength } from "../../base/text.ts"
import { testAnswers } from "../../db/tables/webhooks.ts"
import { ownHeaders } from "../../http/record/own-headers.ts"
import { ruled, told } from "../../http/record/rule.ts"
import { line, matching, oneOf, orNull, projectId, time } from "../../http/record/schemas.ts"
import { failureCauses } from "../../outbound/failure.ts"
import { conditions } from "./conditions.ts"
import { maxDescriptionLength } from "./endpoint.ts"
import { events } from "./event-types.ts"
import { rate } from "./pace.ts"

/** An endpoint, as callers describe it and as replies show it. `openapi.json` publishes these schemas. */

/** The name is judged further: against the list of public suffixes, and by the addresses it resolves to. */
const webhookPattern =
  "^https://([A-Za-z0-9]+(-[A-Za-z0-9]+)*\\.)+[A-Za-z]{2,}(:443)?(/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*)?(\\?[A-Za-z0-9._~!$&'()*+,;=:@%/?-]*)?$"

/** None where the outcome says it all, as it does for `http_status` and `private_address`. */
export const causeOrNull = orNull(oneOf(failureCauses))

/** `acceptableUrl` says which of its rules is broken. */
const url = ruled(Type.String({ pattern: webhookPattern, maxLength: maxUrlLength }), {
  read: (typed: string) => typed,
})
const described = {
  description: Type.Optional(
    told(line({ maxLength: maxDescriptionLength }), "webhooks.description", { max: maxDescriptionLength }),
  ),
  active: Type.Optional(Type.Boolean()),
  projects: Type.Optional(Type.Array(projectId)),
  forms: Type.Optional(Type.Array(matching(/^form_[0-9a-f]{32}$/))),
  conditions: Type.Optional(conditions),
  headers: Type.Optional(ownHeaders),
  events: Type.Optional(events),
  in_order: Type.Optional(Type.Boolean()),
  rate: Type.Optional(rate),
}
const kind = Type.Optional(oneOf(["https", "test"]))

/** No other fields: with `projects` mistyped, an endpoint would get other clients' forms too. */
export const newEndpoint = told(
  Type.Object(
    { kind, url: Type.Optional(url), ...described },
    {
      $id: "NewEndpoint",
      additionalProperties: false,
      anyOf: [
        { required: ["url"], properties: { kind: { const: "https" } } },
        { required: ["kind"], properties: { kind: { const: "test" }, url: false } },
      ],
    },
  ),
  "webhooks.invalidEndpoint",
)

/** By its kind: the fields of each, so that every wrong one is named at once. */
export const newEndpointOfKind = {
  https: told(
    Type.Object({ kind, url, ...described }, { additionalProperties: false }),
    "webhooks.invalidEndpoint",
  ),
  test: newEndpoint,
}

export const endpointChange = told(
  Type.Object(
    { url: Type.Optional(url), ...described, test_answer: Type.Optional(oneOf(testAnswers)) },
    { $id: "NewEndpointChange", additionalProperties: false },
  ),
  "webhooks.invalidEndpoint",
)

export const endpointRecord = Type.Object(
  {
    id: Type.String(),
    kind: oneOf(["https", "test"]),
    url: Type.String(),
    test_answer: orNull(oneOf(testAnswers)),
    description: Type.String(),
    active: Type.Boolean(),
    limited: Type.Boolean(),
    projects: Type.Array(Type.String()),
    forms: Type.Array(Type.String()),
    conditions: Type.Array(
      Type.Object({ form: Type.String(), field: Type.String(), values: Type.Array(Type.String()) }),
    ),
    headers: Type.Array(Type.Object({ name: Type.String() })),
    events: Type.Array(Type.String()),
    in_order: Type.Boolean(),
    rate,
    created_at: time,
    failing: orNull(
      Type.Object({
        since: time,
        last_at: time,
        answer: Type.String(),
        cause: causeOrNull,
      }),
    ),
  },
  { $id: "Endpoint" },
)

export const secretRecord = Type.Object({ secret: Type.String({ pattern: "^whsec_" }) }, { $id: "Secret" })
export const madeEndpoint = Type.Composite([endpointRecord, secretRecord], { $id: "MadeEndpoint" })

/** A request that the receiver within Guichet took, as replies show it. */
export const receivedRequest = Type.Object(
  {
    id: Type.String(),
    message_id: Type.String(),
    at: time,
    headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
    body: Type.String(),
    signature: oneOf(["right", "wrong", "late"]),
    answer: oneOf(testAnswers),
  },
  { $id: "TestRequest" },
)

export const receivedRequests = Type.Object({ items: Type.Array(receivedRequest) }, { $id: "TestRequests" })
