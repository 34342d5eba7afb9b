import { Type } from "@sinclair/typebox"
import { minuteMs } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { findRow } from "../../db/store.ts"
import { withLock } from "../../db/with-lock.ts"
import { told } from "../../http/record/rule.ts"
import { text } from "../../http/record/schemas.ts"
import { type Address, idOf, operation } from "../../operations/operation.ts"
import type { AccountDeps } from "../deps.ts"
import { passwordLength } from "../password.ts"
import { callerSubject, requireSelf } from "../second-factor/operations.ts"
import { sessionsLock } from "../subjects.ts"
import { endOtherSessions, endSession } from "./own-sessions.ts"

/** For so long a sign-in at the OpenID provider stands for the password, which such an account may not have. */
const recentSignInMs = 10 * minuteMs

/** A browser that was left open is not to sign its operator out elsewhere (OWASP ASVS 5.0, 7.5.2). */
const provenAgain = Type.Object({
  present_password: told(text({ maxLength: passwordLength.max }), "accounts.presentPassword"),
})

/** Throws Refusal: `not_found`, also for another operator's session; `invalid_request` as `requireAgain` does. */
export const endOwnSession = operation({
  audit: "session.ended",
  needs: ["workspace:read"],
  input: provenAgain,
  async run(deps: AccountDeps, call) {
    await requireAgain(deps, call)
    if (!(await endSession(deps.db, call.caller.id, idOf(call, "session"))))
      throw new Refusal("not_found", detail("accounts.endedSession"))
  },
  subject: (_, call) => callerSubject(call),
})

/** Signs the caller out in every browser but the present one. Refuses as `requireAgain` does. */
export const endOtherOwnSessions = operation({
  audit: "session.ended",
  needs: ["workspace:read"],
  input: provenAgain,
  async run(deps: AccountDeps, call) {
    await requireAgain(deps, call)
    await withLock(deps.db, sessionsLock(call.caller.id), (transaction) =>
      endOtherSessions(transaction, call.caller.id, idOf(call, "present")),
    )
  },
  subject: (_, call) => callerSubject(call),
})

/** Throws Refusal `invalid_request` without the password or a sign-in by the provider just now. */
async function requireAgain(deps: AccountDeps, call: Address & { input: { present_password: string } }) {
  if (call.input.present_password !== "") await requireSelf(deps, call)
  else if (!(await isOfProviderSince(deps.db, idOf(call, "present"), deps.clock.now() - recentSignInMs))) {
    const explanation = detail("accounts.signInAgain")
    throw new Refusal("invalid_request", explanation, { fields: { present_password: explanation } })
  }
}

async function isOfProviderSince(db: Db, hash: string, sinceMs: number): Promise<boolean> {
  const session = await findRow(db, "session", { hash })
  const isOfProvider = (await findRow(db, "provider_session", { session_hash: hash })) !== undefined
  return isOfProvider && (session?.created_at ?? 0) > sinceMs
}
