import { Type } from "@sinclair/typebox"
import { maxUrlLength } from "../../base/text.ts"
import { testAnswers } from "../../db/tables/webhooks.ts"
import { line, oneOf, projectId, time } from "../../http/schemas.ts"
import { maxDescriptionLength } from "./endpoint.ts"

/** An endpoint, as callers describe it and as replies show it. `openapi.json` publishes these schemas. */

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
export const newEndpointOfKind = {
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

export const endpointRecord = Type.Object(
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

export const secretRecord = Type.Object({ secret: Type.String({ pattern: "^whsec_" }) }, { $id: "Secret" })
export const madeEndpoint = Type.Composite([endpointRecord, secretRecord], { $id: "MadeEndpoint" })
