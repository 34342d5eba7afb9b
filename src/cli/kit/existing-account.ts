import type { Operator } from "../../accounts/operator.ts"
import { listOperatorWorkspaces } from "../../accounts/session.ts"
import { maxWorkspaces } from "../../accounts/workspace.ts"
import { Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"

/** Option of commands that give rights to an account found by its address. */
export const existing = {
  about: "gives the rights to the account that has this address already, whoever holds its password",
} as const

/**
 * Throws Refusal `conflict` that names the workspaces of an account. The address does not prove who holds the
 * account: a workspace may have invited the address and opened the link itself.
 */
export async function refuseExisting({ db }: { db: Db }, { id, email }: Operator): Promise<never> {
  const workspaces = await listOperatorWorkspaces(db, id, { atMost: maxWorkspaces })
  const names = workspaces.map((workspace) => `${workspace.name} (${workspace.id})`)
  throw new Refusal("conflict", "", {
    reason: `${email} has an account already, in ${names.join(", ") || "no workspace"}: add --existing if its holder is the person you mean; guichet operator password changes its password first`,
  })
}
