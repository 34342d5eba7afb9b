import { Type } from "@sinclair/typebox"
import { email, oneOf, text, time } from "../../http/schemas.ts"
import { passwordLength } from "../password.ts"

/** An operator, as callers describe one and as replies show one. `openapi.json` publishes these schemas. */

const role = oneOf(["viewer", "editor", "owner"])

export const newOperator = Type.Object(
  { email: email(), role },
  { $id: "NewOperator", additionalProperties: false },
)
export const operatorChange = Type.Object({ role: Type.Optional(role) }, { $id: "OperatorChange" })

export const ownPassword = Type.Object(
  {
    present_password: text({
      minLength: 1,
      maxLength: passwordLength.max,
      description: "what the operator signs in with now",
    }),
    password: text({
      minLength: passwordLength.min,
      maxLength: passwordLength.max,
      description: "a letter and its accent count as one",
    }),
  },
  { $id: "OwnPassword" },
)

export const operatorRecord = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    role,
    state: oneOf(["active", "invited"], {
      description:
        "invited: has not accepted yet; the id is the invitation’s, and another one once it is accepted",
    }),
    created_at: time,
    expires_at: Type.Union([time, Type.Null()], { description: "when an invitation ends" }),
  },
  { $id: "Operator" },
)

export const invitedOperator = Type.Composite(
  [
    operatorRecord,
    Type.Object({
      link: Type.String({ description: "to be handed to the person; shown this once, good once for 7 days" }),
    }),
  ],
  { $id: "InvitedOperator" },
)
