import type { Db } from "../db/connection.ts"
import { changeRows, deleteRows, findRow } from "../db/store.ts"
import { recordAction } from "../operations/audit-log.ts"
import type { Operator } from "./operator.ts"
import { deleteSecondFactors } from "./second-factor/factors.ts"
import { closeSessions, listOperatorWorkspaces, maxWorkspacesOfAccount } from "./session.ts"

/**
 * Notes that the address of an account is its holder's: they read a mail to it, or a provider has verified it. An
 * account may have been made before by an inviter, who has the link of the invitation too. So the first proof ends
 * whatever was set up until then but the password, which the caller replaces: second factors, recovery codes,
 * identities, sessions and the browsers that are known. Each workspace notes it. Later proofs change nothing. Resolves
 * to whether it was the first one. In the caller's transaction, which is alone on the account's sessions.
 */
export async function proveAddress(transaction: Db, { id, email }: Operator, nowMs: number) {
  const operator = await findRow(transaction, "operator", { id })
  if (!operator || operator.proven_at !== null) return false
  await changeRows(transaction, "operator", { id }, { proven_at: nowMs })
  await deleteSecondFactors(transaction, id)
  await deleteRows(transaction, "operator_identity", { operator_id: id })
  await deleteRows(transaction, "sign_in_place", { operator_id: id })
  await closeSessions(transaction, { operator_id: id })
  const actor = { kind: "operator", id, name: email } as const
  const done = { action: "operator.proven", subject: id, subjectName: email } as const
  for (const workspace of await listOperatorWorkspaces(transaction, id, { atMost: maxWorkspacesOfAccount }))
    await recordAction(transaction, workspace.id, actor, done, nowMs)
  return true
}
