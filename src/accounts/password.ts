import { type Detail, detail, Refusal } from "../base/errors.ts"
import type { Db } from "../db/connection.ts"
import { passwordArgument, thisProgram } from "../host/child-process.ts"
import { type LimitedWorker, openLimitedWorker, type WorkerLimits } from "../host/limited-worker.ts"
import { queueHash } from "./hashing.ts"
import { contextWords } from "./passwords/context-words.ts"
import type { Judgement } from "./passwords/guesses.ts"

/** argon2id with OWASP's minimum parameters: 19 MiB and two passes. */
const options = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const
/** In characters. NIST SP 800-63B asks for a minimum length and advises against composition rules. */
export const passwordLength = { min: 12, max: 256 } as const
/** In UTF-16 units, before NFC normalisation: a composed character may take two. */
const maxTypedLength = 2 * passwordLength.max

/** The password of an unknown account is verified against this, so that the reply takes as long. */
export const decoyHash =
  "$argon2id$v=19$m=19456,t=2,p=1$zdDCznhxYzCILH6nLf7qyztHeGbcihr1tk2iyXi1Wbg$HoAujp0ysnyzk1QumcViizM8EYchNhl6FKshQaYuqfk"

/**
 * Hashes the new password of an account. Throws Refusal: `invalid_request` for one that is too short, too long or
 * among the first that an attacker would try; `unavailable` when too many are being judged.
 */
export async function hashPassword(db: Db, { email, password }: { email: string; password: string }) {
  const composed = password.length > maxTypedLength ? "" : password.normalize("NFC")
  const characters = [...composed].length
  const { min, max } = passwordLength
  if (characters < min || characters > max) throw badPassword(detail("accounts.passwordLength", { min, max }))
  if (await isGuessable({ password: composed, words: await contextWords(db, email) }))
    throw badPassword(detail("accounts.guessablePassword"))
  return hashSecret(composed)
}

export function hashSecret(text: string): Promise<string> {
  return queueHash(() => Bun.password.hash(text, options))
}

function badPassword(told: Detail): Refusal {
  return new Refusal("invalid_request", detail("accounts.invalidOperator"), { fields: { password: told } })
}

/**
 * Verifies a password, in the same time whatever the result. `first` puts it ahead of others that wait. The
 * text is normalised to NFC because keyboards encode `é` as one character or as two.
 */
export async function isPassword(password: string, hash: string, first = false): Promise<boolean> {
  // Bun's argon2 throws at once for an empty text, which would show in the time.
  const typed = password.slice(0, maxTypedLength).normalize("NFC") || " "
  return queueHash(() => Bun.password.verify(typed, hash), first)
}

const limits: WorkerLimits = { processorMs: 10_000, elapsedMs: 60_000, memoryBytes: 512 * 1024 * 1024 }
/** Passwords that may wait; further ones are refused at once. */
const maxPending = 30

/** Module state, because the process is shared by all who choose a password at the time, and ends with the last one. */
let judge: LimitedWorker | undefined
let pending = 0

/**
 * Whether a password is among the first that an attacker would try. Dictionaries are loaded by a process that
 * ends with its last caller: passwords are chosen rarely. Throws Refusal `unavailable` when many wait
 * already, or the process did not answer.
 */
async function isGuessable(judgement: Judgement): Promise<boolean> {
  if (pending >= maxPending) throw unavailable()
  judge ??= openLimitedWorker([...thisProgram(), passwordArgument], {}, limits)
  const worker = judge
  pending++
  try {
    const reply = await worker.ask(judgement)
    if (!("answer" in reply)) throw unavailable()
    return reply.answer === true
  } finally {
    pending--
    if (pending === 0) {
      judge = undefined
      await worker[Symbol.asyncDispose]()
    }
  }
}

function unavailable(): Refusal {
  return new Refusal("unavailable", detail("accounts.crowdedSignIn"), { retryAfterSeconds: 5 })
}
