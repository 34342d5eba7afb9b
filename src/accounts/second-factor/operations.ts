import { detail, Refusal, requireRoom } from "../../base/errors.ts"
import { withLock } from "../../db/with-lock.ts"
import { type Address, idOf, operation } from "../../operations/operation.ts"
import type { AccountDeps } from "../deps.ts"
import { requirePresentPassword } from "../members/present-password.ts"
import { endOtherSessions } from "../sessions/own-sessions.ts"
import { sessionsLock } from "../subjects.ts"
import { dropIdleCodes, hasSecondFactor, readSecondFactors } from "./factors.ts"
import { deletePasskey, maxPasskeys, storePasskey, verifyNewPasskey } from "./passkeys.ts"
import { newPasskey, newTotp, provenByPassword } from "./record.ts"
import { newRecoveryCodes } from "./recovery-codes.ts"
import { storeTotp } from "./totp.ts"

/** Recovery codes that were made, to be shown this once; none where there were some already. */
type Codes = string[] | undefined

/** Signs out every other browser: the password alone may have opened one. Throws Refusal `invalid_request`. */
export const addTotp = operation({
  audit: "second_factor.added",
  needs: ["workspace:read"],
  input: newTotp,
  async run(deps: AccountDeps, call): Promise<Codes> {
    const { sealed, code } = call.input
    const operatorId = await requireSelf(deps, call)
    return withLock(deps.db, sessionsLock(operatorId), async (transaction) => {
      const isFirst = !hasSecondFactor(await readSecondFactors(transaction, operatorId))
      const wanted = { operatorId, sealed, code }
      if (!(await storeTotp(transaction, deps.vault, wanted, deps.clock.now()))) {
        const explanation = detail("accounts.wrongCode")
        throw new Refusal("invalid_request", explanation, { fields: { code: explanation } })
      }
      await endOtherSessions(transaction, operatorId, idOf(call, "session"))
      return isFirst ? newRecoveryCodes(transaction, operatorId) : undefined
    })
  },
  subject: (_, call) => callerSubject(call),
})

/** Removes the caller's authenticator app. Throws Refusal `invalid_request` for a wrong password. */
export const removeTotp = operation({
  audit: "second_factor.removed",
  needs: ["workspace:read"],
  input: provenByPassword,
  async run(deps: AccountDeps, call) {
    const operatorId = await requireSelf(deps, call)
    await withLock(deps.db, sessionsLock(operatorId), async (transaction) => {
      await transaction.deleteFrom("totp").where("operator_id", "=", operatorId).execute()
      await dropIdleCodes(transaction, operatorId)
    })
  },
  subject: (_, call) => callerSubject(call),
})

/**
 * Adds a passkey of the caller, and signs them out in every other browser. Throws Refusal: `invalid_request` for a
 * wrong credential or password; `conflict` for one that is there already, and beyond `maxPasskeys`.
 */
export const addPasskey = operation({
  audit: "passkey.added",
  needs: ["workspace:read"],
  input: newPasskey,
  async run(deps: AccountDeps, call): Promise<Codes> {
    const { name, credential } = call.input
    const operatorId = await requireSelf(deps, call)
    const nowMs = deps.clock.now()
    const purpose = `new passkey ${operatorId}` as const
    const verified = await verifyNewPasskey(deps, { credential, purpose }, nowMs)
    return withLock(deps.db, sessionsLock(operatorId), async (transaction) => {
      const factors = await readSecondFactors(transaction, operatorId)
      requireRoom(factors.passkeys, maxPasskeys, "accounts.tooManyPasskeys")
      await storePasskey(transaction, verified, { operatorId, name }, nowMs)
      await endOtherSessions(transaction, operatorId, idOf(call, "session"))
      return hasSecondFactor(factors) ? undefined : newRecoveryCodes(transaction, operatorId)
    })
  },
  subject: (_, call) => callerSubject(call),
})

/** Removes a passkey of the caller. Throws Refusal: `invalid_request` for a wrong password; `not_found`. */
export const removePasskey = operation({
  audit: "passkey.removed",
  needs: ["workspace:read"],
  input: provenByPassword,
  async run(deps: AccountDeps, call) {
    const operatorId = await requireSelf(deps, call)
    await withLock(deps.db, sessionsLock(operatorId), async (transaction) => {
      await deletePasskey(transaction, operatorId, idOf(call, "passkey"))
      await dropIdleCodes(transaction, operatorId)
    })
  },
  subject: (_, call) => callerSubject(call),
})

/** In place of the earlier ones. Throws Refusal: `invalid_request`; `conflict` without a second factor. */
export const renewRecoveryCodes = operation({
  audit: "recovery_codes.renewed",
  needs: ["workspace:read"],
  input: provenByPassword,
  async run(deps: AccountDeps, call) {
    const operatorId = await requireSelf(deps, call)
    return withLock(deps.db, sessionsLock(operatorId), async (transaction) => {
      if (!hasSecondFactor(await readSecondFactors(transaction, operatorId)))
        throw new Refusal("conflict", detail("accounts.noSecondFactor"))
      return newRecoveryCodes(transaction, operatorId)
    })
  },
  subject: (_, call) => callerSubject(call),
})

/** The caller, who gave their present password. */
export async function requireSelf(
  deps: AccountDeps,
  { caller, input }: Address & { input: { present_password: string } },
): Promise<string> {
  const credentials = { email: caller.name, password: input.present_password }
  return (await requirePresentPassword(deps, caller, credentials, deps.clock.now())).id
}

export function callerSubject({ caller: { id, name } }: Address) {
  return { id, name }
}
