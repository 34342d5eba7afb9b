import { Type } from "@sinclair/typebox"
import { told } from "../../http/record/rule.ts"
import { dayOrTime, line, oneOf, orNull, time, timeOrNull } from "../../http/record/schemas.ts"
import { scopes } from "../../operations/scope.ts"
import { maxNameLength } from "../workspace.ts"

/** A token, as callers describe it and as replies show it. `openapi.json` publishes these schemas. */

const tokenName = told(line({ maxLength: maxNameLength }), "accounts.tokenName")

export const newToken = Type.Object(
  {
    name: Type.Optional(tokenName),
    scopes: Type.Optional(told(Type.Array(oneOf(scopes), { minItems: 1 }), "accounts.noScope")),
    expires_at: Type.Optional(orNull(dayOrTime({ isEnd: true }))),
  },
  { $id: "NewToken", additionalProperties: false },
)
export const tokenChange = Type.Object({ name: Type.Optional(tokenName) }, { $id: "TokenChange" })

export const tokenRecord = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    scopes: Type.Array(oneOf(scopes)),
    created_at: time,
    last_used_at: timeOrNull,
    expires_at: timeOrNull,
  },
  { $id: "Token" },
)

export const madeToken = Type.Composite([tokenRecord, Type.Object({ token: Type.String({}) })], {
  $id: "MadeToken",
})
