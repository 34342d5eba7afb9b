import { type Clock, secondMs } from "../../base/clock.ts"
import type { Log } from "../../base/log.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import type { Vault } from "../../db/vault.ts"
import { cancelPending, cancelUntakenOf } from "../endpoints/cancel.ts"
import { type Claimed, claimer, dueTimesOf, largePayload } from "./claim.ts"
import { bringDueTimesBack } from "./clock-set-back.ts"
import { openFlights, waitAtMostMs, youngForMs } from "./flights.ts"
import { openLease } from "./lease.ts"
import { openRecipients, type Recipient } from "./recipient.ts"
import { type Finished, recorder } from "./record.ts"
import type { Send, Sent } from "./send.ts"

/** Sends what is due. Disposing of it lets what is in flight finish for a while and leaves the rest due. */
export interface Dispatcher extends AsyncDisposable {
  /** Something may have become due: looks at once. */
  wake(): void
  /** Something may have been cancelled, or an endpoint have changed: nothing departs before it has been looked at, which is at once. */
  reconsider(): void
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
  /** For the figures. */
  onAttempt(sent: Sent): void
}

interface Departure {
  claimed: Claimed
  recipient: Recipient
}

/**
 * Under load, so many attempts or milliseconds are written down in one commit: each costs as much as a hundred of them. Of 300, a drain
 * takes a thirtieth longer; of 600 or 800 as long, and a crash would leave more to be made twice.
 */
const fullTurn = 450
const lingerMs = 40
/** While places are free: an endpoint may have made all its attempts that were claimed, and wait for more. */
const hurriedMs = 5

/**
 * Turn by turn, each one transaction: write down what came of finished attempts, claim what is due, then send it. All that it knows
 * stands in the database, so that a crash at any point loses nothing, and another process could do the same beside it.
 */
export function startDispatcher(options: DispatcherOptions): Dispatcher {
  const {
    db,
    clock,
    vault,
    log,
    send,
    onAttempt,
    random = Math.random,
    stopWithinMs = 5 * secondMs,
  } = options
  const lease = openLease(db)
  const claim = claimer(db, lease)
  const record = recorder(db, random)
  const recipients = openRecipients(vault)
  const flights = openFlights()
  const waiting: (() => void)[] = []
  /** Claimed, not begun; first attempts before late ones. */
  let queue: Departure[] = []
  let finished: Finished[] = []
  let woken = false
  /**
   * Whether some of the queue may have been cancelled, or its endpoint have changed, since it was claimed: nothing departs until it has
   * been looked at. How often that was said, and of which time it has been looked at.
   */
  let doubts = 0
  let doubtsSettled = 0
  let turning = false
  let launching = false
  let stopping = false
  let failures = 0
  let launchAgain: Timer | undefined
  let linger: Timer | undefined
  // Before the first turn nobody knows whether the clock was set back while the service was down.
  let latestMs = Number.POSITIVE_INFINITY

  function reconsider(): void {
    doubts++
    wake()
  }

  function wake(): void {
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
    if (woken) wake()
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
    let changed: ReadonlyMap<string, Recipient> = new Map()
    let dueTimes: ReadonlyMap<Claimed, number | null> = new Map()
    const doubtsNow = doubts
    const isDoubtful = doubts !== doubtsSettled
    // It was set back, maybe while the service was down.
    const isSetBack = nowMs < latestMs
    try {
      departures = await db.transaction().execute(async (transaction) => {
        await record(transaction, recorded, breathe)
        if (isSetBack) await bringDueTimesBack(transaction, nowMs)
        if (isSetBack || isDoubtful) dueTimes = await dueTimesOf(transaction, flights.all())
        if (isDoubtful) {
          const waitingClaims = queue.map(({ claimed }) => claimed)
          changed = await recipients(transaction, endpointIdsOf(waitingClaims), nowMs)
        }
        const departing = stopping ? [] : await depart(transaction, nowMs)
        await breathe()
        await lease.hold(transaction, [...flights.all(), ...departing.map(({ claimed }) => claimed)], nowMs)
        return departing
      })
    } catch (error) {
      for (const { claimed } of [...recorded, ...unbegun]) flights.add(claimed)
      finished = [...recorded, ...finished]
      queue = [...unbegun, ...queue]
      throw error
    }
    latestMs = nowMs
    // What is in flight is known by when it was due.
    if (isSetBack) for (const [one, dueAtMs] of dueTimes) one.dueAtMs = dueAtMs ?? one.dueAtMs
    if (isDoubtful) {
      doubtsSettled = doubtsNow
      keepInQueue(
        ({ claimed }) => dueTimes.get(claimed) === claimed.dueAtMs && changed.has(claimed.endpointId),
      )
      for (const one of queue) one.recipient = changed.get(one.claimed.endpointId) ?? one.recipient
    }
    for (const { claimed } of departures) flights.add(claimed)
    queue = [...queue, ...departures].sort(
      (one, other) => Number(one.claimed.late) - Number(other.claimed.late),
    )
    if (stopping) woken ||= queue.length > 0
    else launch()
  }

  /** Between the statements of a turn: what landed meanwhile leaves its place to what waits, and the network is not idle for so long. */
  async function breathe(): Promise<void> {
    await new Promise(setImmediate)
    launch()
  }

  /** The rest goes nowhere: it was cancelled, or will be once it is claimed again. */
  function keepInQueue(isKept: (departure: Departure) => boolean): void {
    for (const departure of queue) if (!isKept(departure)) flights.forget(departure.claimed)
    queue = queue.filter(isKept)
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
    if (doubts !== doubtsSettled) return
    let free = stopping ? 0 : flights.free()
    for (let next = 0; next < queue.length && free > 0; ) {
      const { claimed } = queue[next] as Departure
      if (!flights.mayDepart(claimed)) {
        next++
        continue
      }
      const [departure] = queue.splice(next, 1) as [Departure]
      flights.depart(claimed)
      free--
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
    const known = await recipients(transaction, endpointIdsOf(claims), nowMs)
    // By hand, anything may be sent again.
    const doubtful = claims.filter((one) => one.kind === "automatic" && known.get(one.endpointId)?.isLimited)
    const untaken = await cancelUntakenOf(
      transaction,
      doubtful.map(({ deliveryNumber }) => deliveryNumber),
      nowMs,
    )
    for (const claimed of claims) {
      if (untaken.includes(claimed.deliveryNumber)) continue
      const recipient = known.get(claimed.endpointId)
      if (recipient) departures.push({ claimed, recipient })
      else await cancelPending(transaction, claimed.endpointId, nowMs)
    }
    return departures
  }

  async function fly({ claimed, recipient }: Departure): Promise<void> {
    const startedAtMs = clock.now()
    const body = claimed.payload ?? (await readLarge(claimed))
    if (!body) return leave(claimed)
    const sent = await send(recipient, claimed.messageId, body).catch(unsent)
    onAttempt(sent)
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

  /** A defect of ours: it is tried again on the schedule, and keeps no place for ever. */
  function unsent(error: unknown): Sent {
    log.error("an attempt was not made", { error })
    return { outcome: "connection", status: null, durationMs: 0, excerpt: null }
  }

  /** Undefined also when it cannot be read now: nobody was called, and it is claimed again. */
  function readLarge(claimed: Claimed): Promise<Uint8Array | undefined> {
    return largePayload(db, claimed).catch((error) => {
      log.error("a payload cannot be read", { error })
      return undefined
    })
  }

  /** Nothing is to be sent: erased at the very moment it departed, and cancelled with it; or not to be read now. */
  function leave(claimed: Claimed): void {
    flights.land(claimed)
    flights.forget(claimed)
    launchSoon()
  }

  function land(one: Finished): void {
    // What a stop has given up may be answered all the same.
    if (!flights.land(one.claimed)) return
    finished.push(one)
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
    if (queue.length === 0 || finished.length >= fullTurn) wake()
    else linger ??= setTimeout(lingered, flights.free() > 0 ? hurriedMs : lingerMs)
  }

  function lingered(): void {
    linger = undefined
    wake()
  }

  function settled(): Promise<void> {
    return new Promise((resolve) => {
      waiting.push(resolve)
      reconsider()
    })
  }

  return {
    wake,
    reconsider,
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
