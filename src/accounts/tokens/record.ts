import { Type } from "@sinclair/typebox"
import { line, oneOf, time, timeOrNull } from "../../http/schemas.ts"
import { scopes } from "../../operations/scope.ts"
import { maxNameLength } from "../workspace.ts"

/** A token, as callers describe it and as replies show it. `openapi.json` publishes these schemas. */

const tokenName = line({ maxLength: maxNameLength })

export const newToken = Type.Object(
  {
    name: Type.Optional(tokenName),
    scopes: Type.Optional(
      Type.Array(oneOf(scopes), {
        minItems: 1,
        description: "`all` when absent; to write an area is to read it, too",
      }),
    ),
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
  },
  { $id: "Token" },
)

export const madeToken = Type.Composite(
  [tokenRecord, Type.Object({ token: Type.String({ description: "shown this once" }) })],
  { $id: "MadeToken" },
)
