import { idsOf } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { countOf, deleteRows } from "../../db/store.ts"
import { countRecoveryCodes } from "./recovery-codes.ts"

export interface SecondFactors {
  hasTotp: boolean
  passkeys: number
  recoveryCodesLeft: number
}

export async function readSecondFactors(db: Db, operatorId: string): Promise<SecondFactors> {
  return {
    hasTotp: (await countOf(db, "totp", { operator_id: operatorId })) > 0,
    passkeys: await countOf(db, "passkey", { operator_id: operatorId }),
    recoveryCodesLeft: await countRecoveryCodes(db, operatorId),
  }
}

/** Whether the password alone does not sign the operator in. Recovery codes are no factor of their own. */
export function hasSecondFactor({ hasTotp, passkeys }: SecondFactors): boolean {
  return hasTotp || passkeys > 0
}

export async function membersWithSecondFactor(db: Db, workspaceId: string): Promise<Set<string>> {
  const members = db.selectFrom("member").select("operator_id").where("workspace_id", "=", workspaceId)
  const rows = await db
    .selectFrom("totp")
    .select("operator_id")
    .where("operator_id", "in", members)
    .union(db.selectFrom("passkey").select("operator_id").where("operator_id", "in", members))
    .execute()
  return new Set(rows.map(({ operator_id }) => operator_id))
}

export async function deleteSecondFactors(transaction: Db, operatorId: string): Promise<void> {
  await deleteRows(transaction, "totp", { operator_id: operatorId })
  await deleteRows(transaction, "passkey", { operator_id: operatorId })
  await deleteRows(transaction, "recovery_code", { operator_id: operatorId })
}

/** Recovery codes go with the last factor, in the caller's transaction. */
export async function dropIdleCodes(transaction: Db, operatorId: string): Promise<void> {
  if (hasSecondFactor(await readSecondFactors(transaction, operatorId))) return
  await deleteRows(transaction, "recovery_code", { operator_id: operatorId })
}

/** Ids of an operator's workspaces that ask for a second factor, where the operator has none. */
export async function workspacesAskingFor(db: Db, operatorId: string): Promise<Set<string>> {
  if (hasSecondFactor(await readSecondFactors(db, operatorId))) return new Set()
  const rows = await db
    .selectFrom("member")
    .innerJoin("workspace", "workspace.id", "member.workspace_id")
    .select("workspace.id")
    .where("operator_id", "=", operatorId)
    .where("requires_second_factor", "=", 1)
    .execute()
  return new Set(idsOf(rows))
}
