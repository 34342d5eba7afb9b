import { Type } from "@sinclair/typebox"
import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { withLock } from "../../db/with-lock.ts"
import { type Address, operation } from "../../operations/operation.ts"
import { everyScope } from "../../operations/scope.ts"
import type { AccountDeps } from "../deps.ts"
import { type Person, requireMember } from "../member.ts"
import { memberTarget, requireOperator, type TargetAddress } from "../members/operations.ts"
import { credentials } from "../members/record.ts"
import type { Operator } from "../operator.ts"
import { belongsOnlyTo } from "../password-link.ts"
import { mailFactorsRemoved } from "../people-mails.ts"
import { closeSessions } from "../session.ts"
import { membership } from "../subjects.ts"
import { findWorkspace } from "../workspace.ts"
import { deleteSecondFactors } from "./factors.ts"
import { requireSelf } from "./operations.ts"
import { provenByPassword } from "./record.ts"

/**
 * Takes every second factor from a member who has lost it, with the recovery codes, and ends their sessions: the
 * password alone signs in again, and a mail tells them. An owner does so who gave their own present password; a token
 * has none to give. Refuses as `requireSelf` and `requireTakable` do.
 */
export const removeLostFactors = operation({
  audit: "second_factor.removed",
  needs: ["workspace:write", everyScope],
  input: provenByPassword,
  async run(deps: AccountDeps, call) {
    await requireSelf(deps, call)
    return remove(deps, call, memberTarget(call).id, (transaction) =>
      requireTakable(transaction, call, deps.clock.now()),
    )
  },
  subject: subjectOf,
})

/**
 * The member whose second factor may be taken: an account is weakened for all of its workspaces, so that it belongs to
 * this one alone. Throws Refusal: `forbidden` for a member of another one too, and for oneself; `conflict` without a
 * second factor; and as `requireMember` does.
 */
export async function requireTakable(db: Db, call: TargetAddress, nowMs: number): Promise<Person> {
  const member = await requireMember(db, memberTarget(call), nowMs)
  if (call.caller.id === member.id) throw new Refusal("forbidden", detail("accounts.ownFactors"))
  if (!(await belongsOnlyTo(db, member.id, call.workspaceId)))
    throw new Refusal("forbidden", detail("accounts.factorsElsewhere", { email: member.email }))
  if (!member.secondFactor) throw new Refusal("conflict", detail("accounts.noSecondFactor"))
  return member
}

/** The same for any account. Only the owner of the machine does so. Throws Refusal `not_found`. */
export const removeSecondFactors = operation({
  audit: "second_factor.removed",
  needs: ["workspace:write"],
  input: Type.Pick(credentials, ["email"]),
  async run(deps: AccountDeps, call) {
    const operator = await requireOperator(deps.db, call.input.email)
    return remove(deps, call, operator.id, async () => operator)
  },
  subject: subjectOf,
})

async function remove(
  deps: AccountDeps,
  { workspaceId, caller }: Address,
  id: string,
  find: (transaction: Db) => Promise<Operator>,
): Promise<Operator> {
  const removed = await withLock(deps.db, membership(id), async (transaction) => {
    const operator = await find(transaction)
    await deleteSecondFactors(transaction, id)
    await closeSessions(transaction, { operator_id: id })
    const by = caller.kind === "operator" ? caller.name : undefined
    const workspace = await findWorkspace(transaction, workspaceId)
    if (workspace)
      await mailFactorsRemoved(deps, transaction, { email: operator.email, workspace, by }, deps.clock.now())
    return operator
  })
  deps.mailer.wake()
  return removed
}

function subjectOf({ id, email }: Operator) {
  return { id, name: email }
}
