import { Type } from "@sinclair/typebox"
import { minuteMs } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { deleteRows } from "../../db/store.ts"
import type { Vault } from "../../db/vault.ts"
import { withLock } from "../../db/with-lock.ts"
import { text } from "../../http/record/schemas.ts"
import { idOf, operation } from "../../operations/operation.ts"
import type { AccountDeps } from "../deps.ts"
import { callerSubject, requireSelf } from "../second-factor/operations.ts"
import { provenByPassword } from "../second-factor/record.ts"
import { membership } from "../subjects.ts"
import { attemptMinutes } from "./attempt.ts"
import { joinIdentityTo } from "./identity.ts"
import type { ProvenIdentity } from "./provider.ts"

/** An identity that was proven in a session of the account it is to be joined to. */
interface Proof extends Pick<ProvenIdentity, "issuer" | "subject"> {
  /** For the person to recognise; empty where the provider tells none. */
  email: string
  session: string
  until: number
}

const purpose = "identity to join"
const maxProof = 2000

export function sealedProof(
  vault: Vault,
  { issuer, subject, emails: [email = ""] }: ProvenIdentity,
  session: string,
  nowMs: number,
): string {
  const proof: Proof = { issuer, subject, email, session, until: nowMs + attemptMinutes * minuteMs }
  return vault.seal(JSON.stringify(proof), purpose)
}

/** Throws Refusal `invalid_request` for a proof of another session, of none, or one that has waited too long. */
export function requireProof(vault: Vault, sealed: string, session: string, nowMs: number): Proof {
  const proof = opened(vault, sealed)
  if (!proof || proof.session !== session || proof.until <= nowMs)
    throw new Refusal("invalid_request", detail("accounts.deadAttempt"))
  return proof
}

/** Joins an identity of the provider to the caller's account. Throws Refusal: `invalid_request`; `conflict`. */
export const joinIdentity = operation({
  audit: "identity.joined",
  needs: ["workspace:read"],
  input: Type.Composite([Type.Object({ proof: text({ maxLength: maxProof }) }), provenByPassword]),
  async run(deps: AccountDeps, call) {
    const { db, vault, clock } = deps
    const { proof: sealed } = call.input
    const proof = requireProof(vault, sealed, idOf(call, "session"), clock.now())
    const operatorId = await requireSelf(deps, call)
    await withLock(db, membership(operatorId), (transaction) =>
      joinIdentityTo(transaction, proof, operatorId, clock.now()),
    )
  },
  subject: (_, call) => callerSubject(call),
})

/** The password then signs in. Throws Refusal `invalid_request` without a known one: the account keeps them. */
export const removeIdentity = operation({
  audit: "identity.removed",
  needs: ["workspace:read"],
  input: provenByPassword,
  async run(deps: AccountDeps, call) {
    const operatorId = await requireSelf(deps, call)
    await deleteRows(deps.db, "operator_identity", { operator_id: operatorId })
  },
  subject: (_, call) => callerSubject(call),
})

export async function hasIdentity(db: Db, operatorId: string): Promise<boolean> {
  const row = await db
    .selectFrom("operator_identity")
    .select("issuer")
    .where("operator_id", "=", operatorId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

function opened(vault: Vault, sealed: string): Proof | undefined {
  try {
    return JSON.parse(vault.open(sealed, purpose))
  } catch {
    return undefined
  }
}
