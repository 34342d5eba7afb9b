import { createChallenge, verifySolution } from "altcha-lib"
import { deriveKey } from "altcha-lib/algorithms/sha"
import type { Challenge, Solution } from "altcha-lib/types"
import { type Clock, hourMs } from "../../base/clock.ts"
import { type Detail, detail, Refusal } from "../../base/errors.ts"
import { sha256 } from "../../base/hash.ts"
import type { Vault } from "../../db/vault.ts"
import type { Counter } from "../../limits/limit.ts"
import { takeFrom } from "../../limits/take.ts"
import type { Uses } from "../../limits/uses.ts"
import type { Form } from "../definition/form.ts"
import type { Post } from "./post.ts"

/** A solver tries half of these on average, and never more. */
const mostTries = 400_000
/** A script asks for a challenge when the form is sent; a refused post may be corrected at leisure. */
const goodForMs = hourMs
/** A payload of ours has some 400 characters. */
const maxPayloadLength = 2000
/** Longer than a challenge is good for. */
const useLimit = { points: 1, per: "24 hours" } as const

/** Work for a browser before it sends this form: to find the number whose hash begins as said. */
export function proofChallenge(vault: Vault, formId: string, nowMs: number): Promise<Challenge> {
  return createChallenge({
    algorithm: "SHA-256",
    cost: 1,
    counter: crypto.getRandomValues(new Uint32Array(1)).reduce((_, random) => random % mostTries, 0),
    keyPrefixLength: 4,
    deriveKey,
    // The library would judge `expiresAt` by a clock of its own.
    data: { until: nowMs + goodForMs },
    hmacSignatureSecret: proofSecret(vault, formId),
  })
}

/**
 * The proof, for a form that wants one. Throws Refusal `invalid_request` for a post without a genuine
 * proof of the last hour; `missing` tells a visitor what to do about one without any.
 */
export async function requireProof(
  { vault, clock }: { vault: Vault; clock: Clock },
  form: Pick<Form, "id" | "proofOfWork">,
  { texts }: Post,
  missing: Detail,
): Promise<string | undefined> {
  if (!form.proofOfWork) return undefined
  const payload = texts.get("guichet_proof") ?? ""
  if (payload === "") throw new Refusal("invalid_request", missing)
  const proof = await genuineProof(proofSecret(vault, form.id), payload, clock.now())
  if (proof === undefined) throw new Refusal("invalid_request", detail("forms.proofWrong"))
  return proof
}

export function proofCounter(proof: string): Counter {
  return { period: "", subject: `proof:${sha256(proof)}` }
}

/** Uses up a proof, whose counter was read. Throws Refusal `invalid_request` for one that was used before. */
export function useProof(uses: Uses, counter: Counter, nowMs: number): void {
  if (!takeFrom(uses, useLimit, counter, nowMs))
    throw new Refusal("invalid_request", detail("forms.proofWrong"))
}

/** The signature of the challenge, which no other has. */
async function genuineProof(secret: string, payload: string, nowMs: number): Promise<string | undefined> {
  if (payload.length > maxPayloadLength) return undefined
  try {
    const { challenge, solution } = JSON.parse(payload) as { challenge: Challenge; solution: Solution }
    const { signature, parameters } = challenge
    if (typeof signature !== "string") return undefined
    const { verified } = await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret: secret })
    return verified && Number(parameters.data?.["until"]) >= nowMs ? signature : undefined
  } catch {
    // Something else than a payload of ours.
    return undefined
  }
}

/** Different for each form: a proof for one form is worth nothing at another. */
function proofSecret(vault: Vault, formId: string): string {
  return vault.fingerprint(formId, "proof of work")
}
