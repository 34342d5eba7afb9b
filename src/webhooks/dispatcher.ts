import { type Clock, secondMs } from "../clock.ts"
import type { Db } from "../db/connection.ts"
import type { Log } from "../log.ts"
import type { Vault } from "../vault.ts"
import { cancelPending, cancelUntakenOf } from "./cancel.ts"
import {
  type Claimed,
  cancelledOf,
  claimer,
  largePayload,
  leaseMs,
  releaseClaims,
  renewLeases,
} from "./claim.ts"
import { bringDueTimesBack } from "./clock-set-back.ts"
import { openFlights, waitAtMostMs, youngForMs } from "./flights.ts"
import { type Recipient, recipients } from "./recipient.ts"
import { type Finished, recorder } from "./record.ts"
import type { Send, Sent } from "./send.ts"

/** Sends what is due. Disposing of it lets what is in flight finish for a while and leaves the rest due. */
export interface Dispatcher extends AsyncDisposable {
  /** Something may have become due or been cancelled, an endpoint may have changed: looks at once. */
  wake(): void
  /** Resolves when nothing is in flight and nothing more can be sent now. */
  settled(): Promise<void>
}

/** What a test replaces. */
export interface DispatcherOverrides {
  /** 0 to 1, for the jitter. */
  random?: () => number
  stopWithinMs?: number
}

export interface DispatcherOptions extends DispatcherOverrides {
  db: Db
  clock: Clock
  vault: Vault
  log: Log
  send: Send
}

interface Departure {
  claimed: Claimed
  recipient: Recipient
}

/** Under load, so many attempts or milliseconds are written down in one commit: each costs as much as a hundred of them. */
const fullTurn = 400
const lingerMs = 25
/** While places are free: an endpoint may have made all its attempts that were claimed, and wait for more. */
const hurriedMs = 5

/**
 * Turn by turn, each one transaction: write down what came of finished attempts, claim what is due, then send it. All that it knows
 * stands in the database, so that a crash at any point loses nothing, and another process could do the same beside it.
 */
export function startDispatcher(options: DispatcherOptions): Dispatcher {
  const { db, clock, vault, log, send, random = Math.random, stopWithinMs = 5 * secondMs } = options
  const claim = claimer(db)
  const record = recorder(db, random)
  const flights = openFlights()
  const waiting: (() => void)[] = []
  /** Claimed, not begun; first attempts before late ones. */
  let queue: Departure[] = []
  let finished: Finished[] = []
  let woken = false
  /** Whether some of it may have been cancelled, or its endpoint have changed, since it was claimed. */
  let queueDoubtful = false
  let turning = false
  let launching = false
  let stopping = false
  let departedLate = false
  let failures = 0
  let launchAgain: Timer | undefined
  let linger: Timer | undefined
  // Before the first turn nobody knows whether the clock was set back while the service was down.
  let latestMs = Number.POSITIVE_INFINITY

  function wake(): void {
    queueDoubtful = true
    takeTurn()
  }

  function takeTurn(): void {
    woken = true
    if (turning) return
    turning = true
    void turns()
  }

  async function turns(): Promise<void> {
    // What happens in the same round of the event loop goes into the same turn.
    await new Promise(setImmediate)
    try {
      while (woken) {
        woken = false
        await turn(clock.now())
        failures = 0
      }
    } catch (error) {
      // A full disk, a locked database: everything stays as it is, and the next wake-up tries again.
      if (failures++ === 0) log.error("deliveries cannot be written down", { error })
    }
    turning = false
    if (woken) takeTurn()
    else if (finished.length > 0 && failures === 0) writeSoon()
    else if (flights.size === 0) for (const resolve of waiting.splice(0)) resolve()
  }

  async function turn(nowMs: number): Promise<void> {
    // What it waited for is written down now: left running, it would end the next wait too early.
    clearTimeout(linger)
    linger = undefined
    const recorded = finished
    finished = []
    for (const one of recorded) flights.remove(one)
    const unbegun = giveUpWaiting(nowMs)
    let departures: Departure[]
    let cancelled: ReadonlySet<Claimed> = new Set()
    let changed: ReadonlyMap<string, Recipient> = new Map()
    const mayBeStale = queueDoubtful
    queueDoubtful = false
    // Nothing flies longer than a lease lasts, unless it departed late, the clock leapt or the last turn could not be written down.
    const leasesDoubtful = failures > 0 || departedLate || Math.abs(nowMs - latestMs) > leaseMs / 2
    departedLate = false
    try {
      departures = await db.transaction().execute(async (transaction) => {
        if (nowMs < latestMs) await bringDueTimesBack(transaction, nowMs)
        await record(transaction, recorded)
        await releaseClaims(
          transaction,
          unbegun.map(({ claimed }) => claimed),
        )
        if (leasesDoubtful) await renewLeases(transaction, flights.all(), nowMs)
        if (mayBeStale) {
          const waitingClaims = queue.map(({ claimed }) => claimed)
          cancelled = await cancelledOf(transaction, waitingClaims)
          changed = await recipients(transaction, vault, endpointIdsOf(waitingClaims), nowMs)
        }
        return stopping ? [] : await depart(transaction, nowMs)
      })
    } catch (error) {
      for (const { claimed } of [...recorded, ...unbegun]) flights.add(claimed)
      finished = [...recorded, ...finished]
      queue = [...unbegun, ...queue]
      queueDoubtful ||= mayBeStale
      throw error
    }
    latestMs = nowMs
    for (const { claimed } of queue) if (cancelled.has(claimed)) flights.forget(claimed)
    for (const { claimed } of departures) flights.add(claimed)
    const kept = queue.filter(({ claimed }) => !cancelled.has(claimed))
    for (const departure of kept)
      departure.recipient = changed.get(departure.claimed.endpointId) ?? departure.recipient
    queue = [...kept, ...departures].sort(
      (one, other) => Number(one.claimed.late) - Number(other.claimed.late),
    )
    if (stopping) woken ||= queue.length > 0
    else launch()
  }

  /** Takes out of the queue what found no place in time; all of it at a stop. */
  function giveUpWaiting(nowMs: number): Departure[] {
    const mayWait = ({ claimed }: Departure) => !stopping && nowMs - claimed.claimedAtMs < waitAtMostMs
    const unbegun = queue.filter((departure) => !mayWait(departure))
    if (unbegun.length > 0) queue = queue.filter(mayWait)
    for (const { claimed } of unbegun) flights.giveUp(claimed)
    return unbegun
  }

  function launch(): void {
    const nowMs = clock.now()
    for (let next = 0; next < queue.length && !stopping && flights.free(); ) {
      const { claimed } = queue[next] as Departure
      if (!flights.mayDepart(claimed)) {
        next++
        continue
      }
      const [departure] = queue.splice(next, 1) as [Departure]
      // A turn that waits for the database gives nothing up meanwhile: what departs so late would outlast its lease, and be made twice.
      if (nowMs - claimed.claimedAtMs >= waitAtMostMs) departedLate = true
      flights.depart(claimed)
      void fly(departure)
    }
    // Places are given again to others as time passes, also when no attempt ends.
    if (queue.length > 0) launchAgain ??= setTimeout(launchLater, youngForMs)
  }

  function launchLater(): void {
    launchAgain = undefined
    launch()
  }

  async function depart(transaction: Db, nowMs: number): Promise<Departure[]> {
    const departures: Departure[] = []
    const claims = await claim(transaction, flights.room(), nowMs)
    const known = await recipients(transaction, vault, endpointIdsOf(claims), nowMs)
    // By hand, anything may be sent again.
    const doubtful = claims.filter((one) => one.kind === "automatic" && known.get(one.endpointId)?.isLimited)
    const untaken = await cancelUntakenOf(
      transaction,
      doubtful.map(({ deliveryId }) => deliveryId),
      nowMs,
    )
    for (const claimed of claims) {
      if (untaken.includes(claimed.deliveryId)) continue
      const recipient = known.get(claimed.endpointId)
      if (recipient) departures.push({ claimed, recipient })
      else await cancelPending(transaction, claimed.endpointId, nowMs)
    }
    return departures
  }

  async function fly({ claimed, recipient }: Departure): Promise<void> {
    const startedAtMs = clock.now()
    const sent = await attempt({ claimed, recipient }).catch((error): Sent => {
      log.error("an attempt was not made", { error })
      return { outcome: "connection", status: null, durationMs: 0, excerpt: null }
    })
    if (!sent) return leave(claimed)
    land({
      claimed,
      startedAtMs,
      endedAtMs: clock.now(),
      durationMs: sent.durationMs,
      outcome: sent.outcome,
      status: sent.status,
      responseExcerpt: sent.excerpt,
    })
  }

  /** undefined: there is nothing left to send. */
  async function attempt({ claimed, recipient }: Departure): Promise<Sent | undefined> {
    const body = claimed.payload ?? (await largePayload(db, claimed))
    return body && (await send({ ...recipient, messageId: claimed.messageId, body }))
  }

  /** Erased at the very moment it departed, and cancelled with it. */
  function leave(claimed: Claimed): void {
    flights.land(claimed)
    flights.forget(claimed)
    launchSoon()
  }

  function land(one: Finished): void {
    if (!flights.has(one.claimed)) return
    finished.push(one)
    flights.land(one.claimed)
    launchSoon()
  }

  /** What ends in the same round of the event loop makes room together. */
  function launchSoon(): void {
    if (launching) return
    launching = true
    setImmediate(() => {
      launching = false
      launch()
      if (!turning && finished.length > 0) writeSoon()
    })
  }

  /** As long as there is something to send meanwhile, a commit waits for company. */
  function writeSoon(): void {
    if (queue.length === 0 || finished.length >= fullTurn) takeTurn()
    else linger ??= setTimeout(lingered, flights.free() ? hurriedMs : lingerMs)
  }

  function lingered(): void {
    linger = undefined
    takeTurn()
  }

  function settled(): Promise<void> {
    return new Promise((resolve) => {
      waiting.push(resolve)
      wake()
    })
  }

  return {
    wake,
    settled,
    async [Symbol.asyncDispose]() {
      stopping = true
      clearTimeout(launchAgain)
      clearTimeout(linger)
      const stopped = settled()
      await within(stopped, stopWithinMs)
      for (const claimed of flights.all()) land(interrupted(claimed, clock.now()))
      await within(settled(), secondMs)
    },
  }
}

function endpointIdsOf(claims: readonly Claimed[]): string[] {
  return [...new Set(claims.map(({ endpointId }) => endpointId))]
}

/** Resolves when the promise does, or after so long. A timer that outlived it would keep the stopped process alive. */
async function within(promise: Promise<void>, limitMs: number): Promise<void> {
  const over = Promise.withResolvers<void>()
  const timer = setTimeout(over.resolve, limitMs)
  await Promise.race([promise, over.promise])
  clearTimeout(timer)
}

/** The service stops and cannot wait for the answer: the attempt is due again at its next start. */
function interrupted(claimed: Claimed, nowMs: number): Finished {
  return {
    claimed,
    startedAtMs: claimed.claimedAtMs,
    endedAtMs: nowMs,
    durationMs: Math.max(nowMs - claimed.claimedAtMs, 0),
    outcome: "interrupted",
    status: null,
    responseExcerpt: null,
  }
}
