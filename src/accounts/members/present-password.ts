import { detail, Refusal } from "../../base/errors.ts"
import { clientReader } from "../../http/client.ts"
import type { Caller } from "../../operations/operation.ts"
import type { AccountDeps } from "../deps.ts"
import type { Account } from "../operator.ts"
import { signIn } from "../sign-in.ts"

/**
 * Finds the account of an address by its present password. Wrong guesses count towards the sign-in limits. Throws
 * Refusal: `invalid_request` with an entry for `present_password`; `rate_limited`; `unavailable`.
 */
export async function requirePresentPassword(
  { db, vault, access, config }: Pick<AccountDeps, "db" | "vault" | "access" | "config">,
  { request, browser }: Pick<Caller, "request" | "browser">,
  { email, password }: { email: string; password: string },
  nowMs: number,
): Promise<Account> {
  const address = request ? clientReader(config.trustedProxies)(request) : "unknown"
  return signIn({ db, vault }, { email, password, address, browser }, nowMs).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
    const isWrong = error.code === "unauthorized"
    const refusal = isWrong ? wrongPresentPassword() : error
    if (request && (isWrong || refusal.code === "rate_limited"))
      access.refused(request, "sign-in failed", refusal.code)
    throw refusal
  })
}

export function wrongPresentPassword(): Refusal {
  const explanation = detail("accounts.presentPassword")
  return new Refusal("invalid_request", explanation, { fields: { present_password: explanation } })
}
