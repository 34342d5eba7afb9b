import { detail, Refusal } from "../base/errors.ts"
import { inTurn } from "./hashing.ts"

/** argon2id at the strength that OWASP asks for: 19 MiB and two passes. */
const options = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const
/** NIST SP 800-63B: length is what counts, and no rule about characters helps. */
export const passwordLength = { min: 12, max: 256 } as const
/** Of what is typed, before it is composed. */
const maxTypedLength = 2 * passwordLength.max

/**
 * Made with these options from a text that nobody knows: what an unknown account's password is held against.
 */
export const decoyHash =
  "$argon2id$v=19$m=19456,t=2,p=1$zdDCznhxYzCILH6nLf7qyztHeGbcihr1tk2iyXi1Wbg$HoAujp0ysnyzk1QumcViizM8EYchNhl6FKshQaYuqfk"

/** Throws Refusal `invalid_request` for a password that is too short or too long. */
export async function hashPassword(password: string): Promise<string> {
  const composed = password.length > maxTypedLength ? "" : password.normalize("NFC")
  const characters = [...composed].length
  if (characters < passwordLength.min || characters > passwordLength.max)
    throw new Refusal("invalid_request", detail("accounts.invalidOperator"), {
      fields: {
        password: detail("accounts.passwordLength", { min: passwordLength.min, max: passwordLength.max }),
      },
      reason: `a password has ${passwordLength.min} to ${passwordLength.max} characters`,
    })
  return inTurn(() => Bun.password.hash(composed, options))
}

/**
 * Takes the same time whatever the answer; `first`: before others who wait. An é is one letter, or two
 * characters: keyboards differ.
 */
export async function isPassword(password: string, hash: string, first = false): Promise<boolean> {
  // argon2 would refuse the empty text with an error, at once.
  const typed = password.slice(0, maxTypedLength).normalize("NFC") || " "
  return inTurn(() => Bun.password.verify(typed, hash), first)
}
