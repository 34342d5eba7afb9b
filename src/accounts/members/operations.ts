import { detail, required } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { changeRows } from "../../db/store.ts"
import { withLock } from "../../db/with-lock.ts"
import { recordAction } from "../../operations/audit-log.ts"
import { type Call, type Caller, idOf, operation } from "../../operations/operation.ts"
import { roleScopes } from "../../operations/scope.ts"
import type { AccountDeps } from "../deps.ts"
import { invite } from "../invitation.ts"
import {
  addExistingOperator,
  type Person,
  removeMember,
  requireAnotherOwner,
  requireMember,
  requirePerson,
  type Target,
} from "../member.ts"
import {
  addFirstOperator,
  addOperator,
  changePassword,
  findOperator,
  hasOwner,
  type Operator,
} from "../operator.ts"
import { makePasswordLink } from "../password-link.ts"
import { requireRights } from "../rights.ts"
import { forgetSecondSteps } from "../second-factor/second-step.ts"
import { closeSessionsIn, listOperatorWorkspaces, maxWorkspacesOfAccount } from "../session.ts"
import { forgetTries, openPasswordWindow } from "../sign-in.ts"
import { membership } from "../subjects.ts"
import { isDefaultWorkspace } from "../workspace.ts"
import { requirePresentPassword, wrongPresentPassword } from "./present-password.ts"
import { account, credentials, newOperator, operatorChange, ownPassword, presentPassword } from "./record.ts"

/** The link is shown this once, and mailed where mails are sent. Refuses as `invite` does. */
export const inviteOperator = operation({
  audit: "operator.invited",
  needs: ["workspace:write"],
  input: newOperator,
  run(deps: AccountDeps, { workspaceId, input, caller }) {
    const inviter = caller.kind === "operator" ? caller.name : undefined
    return invite(deps, { workspaceId, ...input, held: caller.held, inviter }, deps.clock.now())
  },
  subject: ({ invitation: { id, email } }) => ({ id, name: email }),
})

/** Throws Refusal: `not_found`, `forbidden`, `conflict` for the last owner. */
export const changeOperator = operation({
  audit: "operator.changed",
  needs: ["workspace:write"],
  input: operatorChange,
  async run({ db, clock }: AccountDeps, call) {
    const target = memberTarget(call)
    const { id, workspaceId, held } = target
    const { role } = call.input
    return withLock(db, membership(id), async (transaction) => {
      const person = await requirePerson(transaction, target, clock.now())
      if (role === undefined) return person
      requireRights({ granted: held, needed: roleScopes(person.role), gained: roleScopes(role) }, "role")
      if (role !== "owner") await requireAnotherOwner(transaction, workspaceId, person)
      await (person.state === "invited"
        ? changeRows(transaction, "invitation", { id }, { role })
        : changeRows(
            transaction,
            "member",
            { workspace_id: workspaceId, operator_id: id },
            { role, by_groups: 0 },
          ))
      return { ...person, role }
    })
  },
  subject: subjectOf,
})

/**
 * Removes a member or revokes an invitation. The account is deleted too if it belongs to no other workspace,
 * and what the member had of the workspace is unassigned. Throws Refusal: `not_found`, `forbidden`,
 * `conflict` for the last owner.
 */
export const removeOperator = operation({
  audit: "operator.removed",
  needs: ["workspace:write"],
  isLong: true,
  async run({ db, clock, unassign }: LeavingDeps, call) {
    const target = memberTarget(call)
    const { id, workspaceId } = target
    const person = await requireRemovable(db, target, clock.now())
    if (person.state === "active") await unassign(workspaceId, id)
    await withLock(db, membership(id), async (transaction) => {
      const { state } = await requireRemovable(transaction, target, clock.now())
      if (state === "invited") await transaction.deleteFrom("invitation").where("id", "=", id).execute()
      else await removeMember(transaction, workspaceId, id)
    })
    // Some may have been given to them meanwhile.
    if (person.state === "active") await unassign(workspaceId, id)
    return person
  },
  subject: subjectOf,
})

type LeavingDeps = Pick<AccountDeps, "db" | "clock" | "unassign">

async function requireRemovable(db: Db, target: Target, nowMs: number): Promise<Person> {
  const person = await requirePerson(db, target, nowMs)
  requireRights({ granted: target.held, needed: roleScopes(person.role) })
  await requireAnotherOwner(db, target.workspaceId, person)
  return person
}

/** Signs a member out of the workspace in every browser. Refuses as `requireMember` does. */
export const signOutOperator = operation({
  audit: "operator.signed_out",
  needs: ["workspace:write"],
  isOneTransaction: true,
  async run({ db, clock }: AccountDeps, call) {
    const target = memberTarget(call)
    return withLock(db, membership(target.id), async (transaction) => {
      const member = await requireMember(transaction, target, clock.now())
      await closeSessionsIn(transaction, member.id, target.workspaceId)
      return member
    })
  },
  subject: subjectOf,
})

/**
 * Changes the password of an operator who knows the present one, and signs them out everywhere: an account may belong
 * to other workspaces too, so that a token alone must not be able to take it over. Wrong guesses count towards the
 * sign-in limits. Throws Refusal: `invalid_request` with an entry for the invalid field; `rate_limited`; `unavailable`;
 * and as `requireMember` does.
 */
export const changeOwnPassword = operation({
  audit: "password.changed",
  // Operators of every role have a password. The API, whose caller is another one, asks for the right to write.
  needs: ["workspace:read"],
  input: ownPassword,
  async run(deps: AccountDeps, call) {
    const { db, clock } = deps
    const member = await requireMember(db, memberTarget(call), clock.now())
    const credentials = { email: member.email, password: call.input.present_password }
    const { passwordHash } = await requirePresentPassword(deps, call.caller, credentials, clock.now())
    if (!(await changePassword(db, member.id, call.input.password, passwordHash)))
      throw wrongPresentPassword()
    return member
  },
  subject: subjectOf,
})

/**
 * Ends the caller's own account, in all its workspaces: each of them notes it. Throws Refusal: `conflict` for the last
 * owner of one of them, and as `requirePresentPassword` does.
 */
export const endOwnAccount = operation({
  audit: "account.ended",
  needs: ["workspace:read"],
  isLong: true,
  input: presentPassword,
  async run(deps: AccountDeps, call) {
    const { db, clock } = deps
    const { caller, input } = call
    const nowMs = clock.now()
    const member = await requireMember(db, memberTarget(call), nowMs)
    await requirePresentPassword(
      deps,
      caller,
      { email: member.email, password: input.present_password },
      nowMs,
    )
    for (const { id } of await requireEndable(db, call, nowMs)) await deps.unassign(id, member.id)
    await withLock(db, membership(member.id), async (transaction) => {
      for (const { id } of await requireEndable(transaction, call, nowMs)) {
        await removeMember(transaction, id, member.id)
        const done = { action: "account.ended", subject: member.id, subjectName: member.email } as const
        if (id !== call.workspaceId) await recordAction(transaction, id, caller, done, nowMs)
      }
    })
    return member
  },
  subject: subjectOf,
})

async function requireEndable(db: Db, call: Omit<Call, "input">, nowMs: number) {
  const { id } = memberTarget(call)
  const workspaces = await listOperatorWorkspaces(db, id, { atMost: maxWorkspacesOfAccount })
  for (const workspace of workspaces) {
    const own = await requireMember(db, { ...memberTarget(call), workspaceId: workspace.id }, nowMs)
    await requireAnotherOwner(db, workspace.id, own)
  }
  return workspaces
}

/** The link is shown this once; no mail is sent. Refuses as `requireMember` and `makePasswordLink` do. */
export const addPasswordLink = operation({
  audit: "password_link.added",
  needs: ["workspace:write"],
  async run({ db, clock, config }: AccountDeps, call) {
    const { workspaceId } = call
    const member = await requireMember(db, memberTarget(call), clock.now())
    const wanted = { operator: member, workspaceId, publicUrl: config.publicUrl }
    return { member, link: await makePasswordLink(db, wanted, clock.now()) }
  },
  subject: ({ member }) => subjectOf(member),
})

/**
 * Makes an account that is a member, or makes the account of that address one, which keeps its password. The first
 * owner of the default workspace owns every workspace. Only the owner of the machine does so: an address alone does
 * not say who holds its account. Throws Refusal: `not_found`, `conflict`, `invalid_request`.
 */
export const addAccount = operation({
  audit: "operator.added",
  needs: ["workspace:write"],
  input: account,
  async run({ db, clock }: Pick<AccountDeps, "db" | "clock">, { workspaceId, input }) {
    const { email, role, password } = input
    if (password === undefined) {
      const operator = await requireOperator(db, email)
      await addExistingOperator(db, { workspaceId, operator, role }, clock.now())
      return operator
    }
    const isFirst = role === "owner" && (await isDefaultWorkspace(db, workspaceId)) && !(await hasOwner(db))
    return isFirst
      ? addFirstOperator(db, { email, password }, clock.now())
      : addOperator(db, { email, password, workspaceId, role }, clock.now())
  },
  subject: ({ id, email }) => ({ id, name: email }),
})

/**
 * Gives an account another password without the present one, signs it out everywhere and forgets wrong guesses. Only
 * the owner of the machine does so. Throws Refusal: `not_found`, `invalid_request`.
 */
export const setPassword = operation({
  audit: "password.changed",
  needs: ["workspace:write"],
  input: credentials,
  async run(
    { db, vault, clock }: Pick<AccountDeps, "db" | "vault" | "clock">,
    { input: { email, password } },
  ) {
    const operator = await requireOperator(db, email)
    await changePassword(db, operator.id, password)
    await openPasswordWindow(db, operator.id, clock.now())
    await forgetTries({ db, vault }, operator.email)
    await forgetSecondSteps(db, operator.id)
    return operator
  },
  subject: ({ id, email }) => ({ id, name: email }),
})

/** The account of an address, for the owner of the machine. Throws Refusal `not_found`. */
export async function requireOperator(db: Db, email: string): Promise<Operator> {
  return required(await findOperator(db, email), detail("accounts.unknownOperator", { id: email }))
}

export type TargetAddress = Pick<Call, "workspaceId" | "ids"> & { caller: Pick<Caller, "id" | "held"> }

export function memberTarget({ workspaceId, ids, caller }: TargetAddress): Target {
  return { workspaceId, id: idOf({ ids }, "operator"), held: caller.held }
}

function subjectOf({ id, email }: Person) {
  return { id, name: email }
}
