import { isIP } from "node:net"
import { originOf } from "../../base/origin.ts"
import type { AccountDeps } from "../deps.ts"
import type { Operator } from "../operator.ts"
import { newChallenge } from "./challenge.ts"

export interface RelyingParty {
  /** A domain name; passkeys of one are worthless for another. */
  id: string
  origin: string
}

interface Named {
  id: string
}

/** That of the public address alone, whatever a request names; undefined where it has no domain name. */
export function relyingParty(publicUrl: string): RelyingParty | undefined {
  const { hostname } = new URL(publicUrl)
  const origin = originOf(publicUrl)
  if (origin === undefined || isIP(hostname.replace(/[[\]]/g, "")) !== 0) return undefined
  return { id: hostname, origin }
}

/** Options by which a browser asks a device for a new passkey (`PublicKeyCredentialCreationOptionsJSON`). */
export function creationOptions(
  { vault, config }: Pick<AccountDeps, "vault" | "config">,
  { operator, present }: { operator: Operator; present: readonly Named[] },
  nowMs: number,
): object | undefined {
  const party = relyingParty(config.publicUrl)
  return (
    party && {
      rp: { id: party.id, name: "Guichet" },
      user: {
        id: Buffer.from(operator.id).toString("base64url"),
        name: operator.email,
        displayName: operator.email,
      },
      challenge: newChallenge(vault, `new passkey ${operator.id}`, nowMs),
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: "public-key", alg })),
      excludeCredentials: present.map(toDescriptor),
      authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
      attestation: "none",
    }
  )
}

/** `PublicKeyCredentialRequestOptionsJSON`: for any passkey, or for those of an operator after the password. */
export function requestOptions(
  { vault, config }: Pick<AccountDeps, "vault" | "config">,
  of: { operatorId: string; present: readonly Named[] } | undefined,
  nowMs: number,
): object | undefined {
  const party = relyingParty(config.publicUrl)
  if (!party || of?.present.length === 0) return undefined
  return {
    rpId: party.id,
    challenge: newChallenge(vault, of ? `second step ${of.operatorId}` : "sign-in", nowMs),
    allowCredentials: (of?.present ?? []).map(toDescriptor),
    userVerification: of ? "preferred" : "required",
  }
}

function toDescriptor({ id }: Named) {
  return { type: "public-key", id }
}
