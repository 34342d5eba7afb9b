import { setImmediate as yieldToEventLoop } from "node:timers/promises"
import type { Db } from "../../db/connection.ts"
import type { Vault } from "../../db/vault.ts"
import { type Engine, engineOf } from "../../db/words.ts"
import { cancelExcluded, cancelPending } from "../endpoints/cancel.ts"
import { type ClaimRequest, type DueAttempt, openFindDue, type QueueEngine } from "./claim.ts"
import { openAddToHours } from "./counts/hour-count.ts"
import { bringDueTimesBack, bringInFlightBack, readDueTimes } from "./due-times.ts"
import { openLease } from "./lease.ts"
import { postgres } from "./postgres/engine.ts"
import type { Claim, Complete, DeliveryQueue, Recipient, Round, RoundResult } from "./queue.ts"
import { openRecipients } from "./recipients.ts"
import { claimStatements } from "./sqlite/claim.ts"
import { openComplete } from "./sqlite/complete.ts"
import { keepPace } from "./turns/keep-pace.ts"
import { releaseWaiting } from "./turns/release.ts"

export interface QueueOptions {
  db: Db
  vault: Vault
  /** Gives 0 to 1, for the jitter of the retry schedule. */
  random?: (() => number) | undefined
}

const engines: Record<Engine, QueueEngine> = {
  // Writing transactions run one at a time already.
  sqlite: { openComplete, claimStatements, mayClaim: async () => true },
  postgres,
}

interface QueueParts {
  engine: QueueEngine
  complete: Complete
  addToHours: ReturnType<typeof openAddToHours>
  findDue: ReturnType<typeof openFindDue>
  lease: ReturnType<typeof openLease>
  readRecipients: ReturnType<typeof openRecipients>
}

/** One process's view of the deliveries. Each opened queue holds a lease of its own. */
export function openQueue({ db, vault, random = Math.random }: QueueOptions): DeliveryQueue {
  const engine = engines[engineOf(db)]
  const parts: QueueParts = {
    engine,
    complete: engine.openComplete(db, random),
    addToHours: openAddToHours(db),
    findDue: openFindDue(db, engine.claimStatements),
    lease: openLease(db),
    readRecipients: openRecipients(db, vault),
  }
  // The clock may have been set back while the service was down: the first round repairs the due times.
  let latestMs = Number.POSITIVE_INFINITY

  async function round(request: Round): Promise<RoundResult> {
    const { nowMs, results, held, capacity, invalidated } = request
    const startedMs = performance.now()
    const isClockSetBack = nowMs < latestMs
    const inFlight = isClockSetBack ? deliveryNumbers([...held(), ...results.map(({ claim }) => claim)]) : []
    if (isClockSetBack) await bringDueTimesBack(db, nowMs, inFlight)
    const { claims, lost, current, hasToWait, nextAtMs } = await db
      .transaction()
      .execute((transaction) =>
        storeAndClaim(parts, transaction, request, { startedMs, isClockSetBack, inFlight }),
      )
    latestMs = nowMs
    parts.lease.written(nowMs)
    if (current && isClockSetBack) adoptDueTimes(current)
    const ended = [...lost, ...(current && invalidated ? adoptRecipients(current) : [])]
    if (!hasToWait) return { claims, ended, nextAtMs }
    const next = await round({ nowMs, results: [], held, capacity, invalidated: false })
    return { ...next, ended }
  }

  return {
    round,
    async readPayload({ messageId }) {
      const message = await db
        .selectFrom("message")
        .select("payload")
        .where("id", "=", messageId)
        .executeTakeFirst()
      return message?.payload ?? undefined
    },
  }
}

async function storeAndClaim(
  parts: QueueParts,
  transaction: Db,
  { nowMs, results, held, capacity, invalidated }: Round,
  {
    startedMs,
    isClockSetBack,
    inFlight,
  }: { startedMs: number; isClockSetBack: boolean; inFlight: readonly number[] },
) {
  const { engine, complete, addToHours, lease } = parts
  const counts = await complete(transaction, results)
  if (isClockSetBack) await bringInFlightBack(transaction, nowMs, inFlight)
  const current = isClockSetBack || invalidated ? await reread(parts, transaction, held(), nowMs) : undefined
  const free = capacity()
  // Another process claims at this moment. With results to come, this process begins its next round soon.
  const isIdle = held().length === 0
  // Who claims at this moment may be frozen: what was sent meanwhile is written down before it is waited for.
  const mayWait = isIdle && results.length === 0
  const mayClaim = free !== undefined && (await engine.mayClaim(transaction, mayWait))
  const leases = await lease.read(transaction)
  const lost = lease.lost(leases, held())
  const waitedMs = performance.now() - startedMs
  const heldByOthers = mayClaim && (await lease.heldByOthers(transaction, leases, nowMs, waitedMs))
  const nextAtMs = heldByOthers && leases.somethingWaits ? await release(transaction, nowMs) : undefined
  const claims = heldByOthers
    ? await claim(parts, transaction, { capacity: free, held: held(), heldByOthers, nowMs })
    : []
  await yieldToEventLoop()
  await lease.renew(transaction, leases, [...held(), ...claims], nowMs)
  // Last, since several nodes add to the rows of one endpoint, and the first makes the others wait.
  await addToHours(transaction, counts)
  const hasToWait = free !== undefined && isIdle && !mayClaim
  return { claims, lost, current, hasToWait, nextAtMs }
}

async function release(transaction: Db, nowMs: number): Promise<number | undefined> {
  const { ended, nextAtMs } = await releaseWaiting(transaction, nowMs)
  for (const endpointId of ended) await cancelPending(transaction, endpointId, nowMs)
  return nextAtMs
}

/** Cancels what endpoints get no longer: the process that changed them may have died before it did. */
async function claim({ findDue, readRecipients }: QueueParts, transaction: Db, request: ClaimRequest) {
  const { nowMs, held } = request
  const due = await findDue(transaction, request)
  const recipients = await readRecipients(transaction, endpointIds(due), nowMs)
  const filtered = due.filter(
    // A person may send anything again.
    ({ kind, endpointId }) => kind === "automatic" && recipients.get(endpointId)?.isFiltered,
  )
  const excluded = new Set(await cancelExcluded(transaction, deliveryNumbers(filtered), nowMs))
  const claims: Claim[] = []
  const inactive = new Set<string>()
  for (const attempt of due) {
    const recipient = recipients.get(attempt.endpointId)
    if (!recipient) inactive.add(attempt.endpointId)
    else if (!excluded.has(attempt.deliveryNumber)) claims.push({ ...attempt, recipient })
  }
  for (const endpointId of inactive) await cancelPending(transaction, endpointId, nowMs)
  return keepPace(transaction, claims, held, recipients, nowMs)
}

async function reread(
  { readRecipients }: QueueParts,
  transaction: Db,
  held: readonly Claim[],
  nowMs: number,
): Promise<Reread> {
  const dueTimes = await readDueTimes(transaction, held)
  return { dueTimes, recipients: await readRecipients(transaction, endpointIds(held), nowMs) }
}

interface Reread {
  /** null: nothing is due any more. */
  dueTimes: ReadonlyMap<Claim, number | null>
  recipients: ReadonlyMap<string, Recipient>
}

/** A claim is known by its due time, which the repair of the clock has moved. */
function adoptDueTimes({ dueTimes }: Reread): void {
  for (const [claim, dueAtMs] of dueTimes) claim.dueAtMs = dueAtMs ?? claim.dueAtMs
}

/** Gives each claim the address and the keys of today, and returns the claims that no longer hold. */
function adoptRecipients({ dueTimes, recipients }: Reread): Claim[] {
  const ended: Claim[] = []
  for (const [claim, dueAtMs] of dueTimes) {
    const recipient = recipients.get(claim.endpointId)
    if (recipient && dueAtMs === claim.dueAtMs) claim.recipient = recipient
    else ended.push(claim)
  }
  return ended
}

function endpointIds(due: readonly DueAttempt[]): string[] {
  return due.map(({ endpointId }) => endpointId)
}

function deliveryNumbers(due: readonly DueAttempt[]): number[] {
  return due.map(({ deliveryNumber }) => deliveryNumber)
}
