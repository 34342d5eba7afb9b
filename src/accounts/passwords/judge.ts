import { detail, Refusal } from "../../base/errors.ts"
import { passwordArgument, thisProgram } from "../../host/child-process.ts"
import { type LimitedWorker, openLimitedWorker, type WorkerLimits } from "../../host/limited-worker.ts"
import type { Judgement } from "./guesses.ts"

/** Loading included. */
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
export async function isGuessable(judgement: Judgement): Promise<boolean> {
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
