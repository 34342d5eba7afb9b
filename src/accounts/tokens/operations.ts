import { detail, Refusal, requireRoom } from "../../base/errors.ts"
import { changeRows, countOf } from "../../db/store.ts"
import { withLock } from "../../db/with-lock.ts"
import { idOf, operation, operationsOf } from "../../operations/operation.ts"
import type { PerformDeps } from "../../operations/perform.ts"
import { everyScope } from "../../operations/scope.ts"
import { requireRights } from "../rights.ts"
import { createToken, expiryWithin, requireToken, revokeToken, type Token } from "../token.ts"
import { newToken, tokenChange } from "./record.ts"

export type TokenDeps = Pick<PerformDeps, "db" | "clock">

/** Per workspace: a bound for a program that makes tokens in a loop. */
export const maxTokens = 200

/** A caller may not change a token that has more rights than itself. Throws Refusal: `not_found`, `forbidden`. */
const tokenOperation = operationsOf(async ({ db }, { workspaceId, ids, caller }) => {
  const token = await requireToken(db, idOf({ ids }, "token"), workspaceId)
  requireRights({ granted: caller.held, needed: token.scopes })
  return token
}, subjectOf)

/**
 * Creates a token within the caller's rights; its text is shown this once. Throws Refusal: `invalid_request` for
 * an invalid name, no scope or an end that has passed; `forbidden` for a scope the caller lacks and for an end after
 * the caller's own; `conflict` beyond `maxTokens`.
 */
export const addToken = operation({
  audit: "token.added",
  needs: ["workspace:write"],
  isOneTransaction: true,
  input: newToken,
  async run({ db, clock }: TokenDeps, { workspaceId, input, caller }) {
    const { name = "", scopes = [everyScope], expires_at = null } = input
    requireRights({ granted: caller.held, gained: scopes }, "scopes")
    if (expires_at !== null && expires_at <= clock.now())
      throw new Refusal("invalid_request", detail("accounts.tokenExpiry"), {
        fields: { expires_at: detail("accounts.tokenExpiry") },
      })
    const expiresAt = await expiryWithin(db, caller, expires_at)
    return withLock(db, `tokens:${workspaceId}`, async (transaction) => {
      const count = await countOf(transaction, "token", { workspace_id: workspaceId })
      requireRoom(count, maxTokens, "accounts.tooManyTokens")
      const granted = [...new Set(scopes)]
      const { id, text } = await createToken(transaction, workspaceId, name, clock.now(), granted, expiresAt)
      return { token: await requireToken(transaction, id, workspaceId), text }
    })
  },
  subject: ({ token }) => subjectOf(token),
})

export const changeToken = tokenOperation({
  audit: "token.changed",
  needs: ["workspace:write"],
  isOneTransaction: true,
  input: tokenChange,
  async run({ db }: TokenDeps, call, { id, workspaceId }) {
    if (call.input.name !== undefined) await changeRows(db, "token", { id }, { name: call.input.name })
    return requireToken(db, id, workspaceId)
  },
  subject: subjectOf,
})

export const removeToken = tokenOperation({
  audit: "token.removed",
  needs: ["workspace:write"],
  isOneTransaction: true,
  run: ({ db, clock }: TokenDeps, _, token) => revokeToken(db, token, clock.now()),
})

function subjectOf({ id, name }: Token) {
  return { id, name }
}
