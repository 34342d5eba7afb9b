import { Type } from "@sinclair/typebox"
import { told } from "../../http/record/rule.ts"
import { text } from "../../http/record/schemas.ts"
import { passwordLength } from "../password.ts"

/** Fields of the forms by which operators change their second factors. */

const presentPassword = told(
  text({ minLength: 1, maxLength: passwordLength.max }),
  "accounts.presentPassword",
)

/** A browser that an operator left open is not to change how they sign in. */
export const provenByPassword = Type.Object({ present_password: presentPassword })

export const newTotp = Type.Object({
  /** Of `newTotpEnrolment`. */
  sealed: text({ maxLength: 400 }),
  code: told(text({ minLength: 1, maxLength: 20 }), "accounts.wrongCode"),
  present_password: presentPassword,
})
