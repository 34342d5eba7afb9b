import { detail, Refusal } from "../base/errors.ts"
import type { Db } from "../db/connection.ts"
import type { Vault } from "../db/vault.ts"
import { changePassword, type Operator } from "./operator.ts"
import { signIn } from "./sign-in.ts"

/** Whether the change was refused because of a guess at the present password. */
export function isWrongPresentPassword(error: unknown): error is Refusal {
  if (!(error instanceof Refusal)) return false
  return error.code === "rate_limited" || error.fields?.["present_password"] !== undefined
}

interface PasswordChange {
  /** Current password. */
  present: string
  password: string
  /** The client's address. */
  address: string
  browser?: string | undefined
}

/**
 * Changes the password of an operator who knows the present one, and signs them out everywhere. Wrong guesses
 * count towards the sign-in limits. Throws Refusal: `invalid_request` with an entry for the invalid field;
 * `rate_limited`; `unavailable`.
 */
export async function changePasswordOf(
  { db, vault }: { db: Db; vault: Vault },
  { id, email }: Operator,
  { present, password, address, browser }: PasswordChange,
  nowMs: number,
): Promise<void> {
  const wrong = new Refusal("invalid_request", detail("accounts.presentPassword"), {
    fields: { present_password: detail("accounts.presentPassword") },
  })
  const credentials = { email, password: present, address, browser }
  const { passwordHash } = await signIn({ db, vault }, credentials, nowMs).catch((error: unknown) => {
    throw error instanceof Refusal && error.code === "unauthorized" ? wrong : error
  })
  if (!(await changePassword(db, id, password, passwordHash))) throw wrong
}
