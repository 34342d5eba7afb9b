import { Type } from "@sinclair/typebox"
import { told } from "../../http/record/rule.ts"
import { filledLine, text } from "../../http/record/schemas.ts"
import { passwordLength } from "../password.ts"
import { maxNameLength } from "../workspace.ts"
import { maxCredentialLength } from "./passkeys.ts"

const presentPassword = told(
  text({ minLength: 1, maxLength: passwordLength.max }),
  "accounts.presentPassword",
)

/** A browser that an operator left open is not to change how they sign in. */
export const provenByPassword = Type.Object({ present_password: presentPassword })

export const newTotp = Type.Object({
  /** The sealed secret from `newTotpEnrolment`. */
  sealed: text({ maxLength: 400 }),
  code: told(text({ minLength: 1, maxLength: 20 }), "accounts.wrongCode"),
  present_password: presentPassword,
})

export const newPasskey = Type.Object({
  name: told(filledLine({ maxLength: maxNameLength }), "accounts.passkeyName"),
  credential: told(text({ minLength: 1, maxLength: maxCredentialLength }), "accounts.wrongPasskey"),
  present_password: presentPassword,
})
