import type { Clock } from "../../base/clock.ts"
import type { Log } from "../../base/log.ts"
import { automaticAttempts } from "../messages/retry-schedule.ts"
import type { AttemptResult, Claim, DeliveryQueue } from "./queue.ts"
import type { Send, SendResult } from "./send.ts"

export interface AttemptDeps {
  queue: DeliveryQueue
  clock: Clock
  log: Log
  send: Send
  onAttempt(result: SendResult, claim: Claim): void
  /** Whether what was delivered is logged too. */
  logsDelivered: boolean
}

/** Never rejects. Undefined: there was nothing to send, and what is still due is claimed again. */
export async function makeAttempt(deps: AttemptDeps, claim: Claim): Promise<AttemptResult | undefined> {
  const { clock, log, send, onAttempt, logsDelivered } = deps
  const startedAtMs = clock.now()
  const payload = claim.payload ?? (await readPayload(deps, claim))
  if (!payload) return undefined
  const sent = await send(claim.recipient, claim.messageId, payload).catch((error): SendResult => {
    // A defect of this program counts as a failed attempt: it would otherwise be repeated for ever.
    log.error("an attempt was not made", { error })
    return {
      outcome: "connection",
      status: null,
      durationMs: 0,
      cause: null,
      address: null,
      responseExcerpt: null,
      responseHeaders: null,
    }
  })
  onAttempt(sent, claim)
  if (sent.outcome !== "delivered" || logsDelivered) report(log, claim, sent)
  return { claim, startedAtMs, endedAtMs: clock.now(), ...sent }
}

/** Ids and no contents: the console and the API show what was sent and answered. */
function report(log: Log, claim: Claim, sent: SendResult): void {
  const { outcome, status, durationMs, cause, address } = sent
  const { messageId, endpointId: endpoint, kind, attemptsMade } = claim
  const isAutomatic = kind === "automatic"
  const ids = { messageId, endpoint, ...(isAutomatic ? { attempt: attemptsMade + 1 } : { kind }) }
  const ms = Math.round(durationMs)
  if (outcome === "delivered") log.debug("message delivered", { ...ids, status, ms })
  else {
    const why = { ...(cause && { cause }), ...(address && { address }) }
    log.info("attempt failed", { ...ids, outcome, status, ...why, ms })
  }
  if (outcome !== "delivered" && isAutomatic && attemptsMade + 1 >= automaticAttempts)
    log.info("delivery given up", { messageId, endpoint, attempts: attemptsMade + 1 })
}

/** Undefined: the payload was erased a moment ago, or cannot be read now. */
async function readPayload({ queue, log }: AttemptDeps, claim: Claim): Promise<Uint8Array | undefined> {
  return queue.readPayload(claim).catch((error) => {
    log.error("a payload cannot be read", { error })
    return undefined
  })
}

/** The result of an attempt that a stop cannot wait for: it is due again at the next start. */
export function interrupted(claim: Claim, nowMs: number): AttemptResult {
  return {
    claim,
    startedAtMs: claim.claimedAtMs,
    endedAtMs: nowMs,
    durationMs: Math.max(nowMs - claim.claimedAtMs, 0),
    outcome: "interrupted",
    status: null,
    cause: null,
    address: null,
    responseExcerpt: null,
    responseHeaders: null,
  }
}
