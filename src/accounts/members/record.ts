import { Type } from "@sinclair/typebox"
import { ruled, told } from "../../http/record/rule.ts"
import { email, oneOf, orNull, text, time } from "../../http/record/schemas.ts"
import { passwordLength } from "../password.ts"

/** An operator, as callers describe one and as replies show one. `openapi.json` publishes these schemas. */

const role = oneOf(["viewer", "editor", "owner"])

export const newOperator = Type.Object(
  { email: email(), role },
  { $id: "NewOperator", additionalProperties: false },
)
export const operatorChange = Type.Object({ role: Type.Optional(role) }, { $id: "OperatorChange" })

/** `hashPassword` counts a letter and its accent as one. */
const typed = ruled(text({ minLength: passwordLength.min, maxLength: passwordLength.max }), {
  read: (typed: string) => typed,
})
const password = told(typed, "accounts.passwordLength", { ...passwordLength })

export const ownPassword = Type.Object(
  {
    present_password: told(text({ minLength: 1, maxLength: passwordLength.max }), "accounts.presentPassword"),
    password,
  },
  { $id: "OwnPassword" },
)

/** Ending an account takes its password. */
export const presentPassword = Type.Pick(ownPassword, ["present_password"])

/** What a command gives; without a password, the account that the address has is meant. */
export const account = Type.Object({ email: email(), role, password: Type.Optional(password) })
export const credentials = Type.Object({ email: email(), password })

export const operatorRecord = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    role,
    state: oneOf(["active", "invited"]),
    created_at: time,
    expires_at: orNull(time),
    second_factor: Type.Boolean(),
  },
  { $id: "Operator" },
)

export const invitedOperator = Type.Composite(
  [
    operatorRecord,
    Type.Object({
      link: Type.String(),
      mailed: Type.Boolean(),
    }),
  ],
  { $id: "InvitedOperator" },
)

export const passwordLink = Type.Object({ link: Type.String() }, { $id: "PasswordLink" })
