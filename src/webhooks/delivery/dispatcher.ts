import { setTimeout as sleep } from "node:timers/promises"
import { minuteMs, secondMs } from "../../base/clock.ts"
import { leastGapMs } from "../endpoints/pace.ts"
import { type AttemptDeps, interrupted, makeAttempt } from "./attempt.ts"
import { type Batcher, openBatcher } from "./batcher.ts"
import { leaseMs } from "./lease.ts"
import { type Limiter, openLimiter } from "./limiter.ts"
import type { AttemptResult, Claim } from "./queue.ts"
import { answerTimeoutMs } from "./send.ts"
import { openWakeLoop, type WakeLoop } from "./wake-loop.ts"

/** Sends what is due. Disposing of it waits a while for the attempts in flight, and leaves the rest due. */
export interface Dispatcher extends AsyncDisposable {
  wake(): void
  /** A delivery or an endpoint may have changed: no attempt starts before the claims are read again. */
  invalidateClaims(): void
  /** Resolves when a round that begins after this call has ended, whether or not it could be written down. */
  round(): Promise<void>
  /** Resolves when nothing is in flight and nothing else can be sent now. */
  settled(): Promise<void>
}

export interface DispatcherOptions extends Omit<AttemptDeps, "logsDelivered"> {
  abortSends(): void
  stopWithinMs?: number | undefined
}

/** Results written in one transaction, and how long they wait for more: decision "grouped commits". */
const maxBatch = 450
const maxBatchDelayMs = 40
/** The delay while places are free that no waiting claim may take: only another round can fill them. */
const minBatchDelayMs = 5
/**
 * With so many claims waiting, free places are those of few endpoints, which one of several nodes has: rounds that
 * follow at once would bring no more of them, and cost the database three times as much for each delivery.
 */
const manyWaiting = 200
/** A claim that waits for a place so long is given back: the lease allows 3 seconds beside the attempt. */
const maxWaitMs = secondMs
/**
 * An attempt that starts so long after the lease was renewed may outlast it: a process that was frozen, or that the
 * database answered late, may find that another one has its claims.
 */
const startWithinMs = leaseMs - answerTimeoutMs

/** Rounds come oftener anyway. */
const maxSleepMs = minuteMs

interface State extends DispatcherOptions, AttemptDeps {
  limiter: Limiter<Claim>
  results: Batcher<AttemptResult>
  loop: WakeLoop
  /** Set by `invalidateClaims`, each time to another object. Cleared by a round that began after that. */
  invalidated: object | undefined
  isStopping: boolean
  /** When the last round began: it renewed the lease on everything held. */
  renewedAtMs: number
  startSoon: NodeJS.Immediate | undefined
  nextTurn: NodeJS.Timeout | undefined
  awaitingRound: (() => void)[]
  awaitingSettled: (() => void)[]
}

/** Round by round, stores results and claims what is due. Attempts start and end at any time. */
export function startDispatcher(options: DispatcherOptions): Dispatcher {
  const state: State = {
    ...options,
    logsDelivered: options.log.isEnabledFor("debug"),
    limiter: openLimiter<Claim>({
      keyOf: ({ endpointId }) => endpointId,
      priorityOf: ({ priority }) => priority,
      isAlone: ({ recipient }) => recipient.inOrder === true,
    }),
    results: openBatcher(maxBatch, () => state.loop.wake()),
    loop: openWakeLoop({
      async round() {
        const callers = state.awaitingRound.splice(0)
        await runRound(state).finally(() => {
          for (const resolve of callers) resolve()
        })
      },
      // The disk is full, or the database locked.
      onError: (error) => options.log.error("deliveries cannot be written down", { error }),
      onRest: (hasFailed) => rest(state, hasFailed),
    }),
    invalidated: undefined,
    isStopping: false,
    renewedAtMs: 0,
    startSoon: undefined,
    nextTurn: undefined,
    awaitingRound: [],
    awaitingSettled: [],
  }
  return {
    wake: state.loop.wake,
    invalidateClaims: () => invalidateClaims(state),
    round: () => nextRound(state),
    settled: () => settled(state),
    [Symbol.asyncDispose]: () => stop(state),
  }
}

function invalidateClaims(state: State): void {
  state.invalidated = {}
  state.loop.wake()
}

async function runRound(state: State): Promise<void> {
  const { queue, clock, limiter, results, invalidated } = state
  const nowMs = clock.now()
  limiter.expire(({ claimedAtMs }) => state.isStopping || nowMs - claimedAtMs >= maxWaitMs)
  const batch = results.take()
  const round = queue.round({
    nowMs,
    results: batch,
    held: () => [...limiter.items(), ...results.items.map(({ claim }) => claim)],
    capacity: () => (state.isStopping ? undefined : limiter.capacity()),
    invalidated: invalidated !== undefined,
  })
  round.catch(() => results.putBack(batch))
  const { claims, ended, nextAtMs } = await round
  state.renewedAtMs = nowMs
  limiter.release(ended)
  limiter.add(claims)
  if (state.invalidated === invalidated) state.invalidated = undefined
  wakeAt(state, nextAtMs)
  startAttempts(state)
  // The stop came during this round: another one gives the claims back.
  if (state.isStopping && claims.length > 0) state.loop.wake()
}

/** The rate of an endpoint lets another delivery go then. */
function wakeAt(state: State, atMs: number | undefined): void {
  if (atMs === undefined || state.isStopping) return
  clearTimeout(state.nextTurn)
  const delayMs = Math.min(Math.max(atMs - state.clock.now(), leastGapMs), maxSleepMs)
  state.nextTurn = setTimeout(state.loop.wake, delayMs).unref()
}

function startAttempts(state: State): void {
  const { limiter, clock, invalidated, isStopping, renewedAtMs } = state
  if (invalidated || isStopping) return
  if (limiter.waiting > 0 && clock.now() - renewedAtMs > startWithinMs) {
    invalidateClaims(state)
    return
  }
  for (const claim of limiter.start())
    void makeAttempt(state, claim).then((result) => finish(state, claim, result))
}

function finish(state: State, claim: Claim, result: AttemptResult | undefined): void {
  const trackRecord = result && (result.outcome === "timeout" ? "timing out" : "good")
  // A stop ends attempts that may be answered later all the same.
  if (!state.limiter.finish(claim, trackRecord)) return
  if (result) state.results.add(result)
  // Attempts that end in the same tick of the event loop make room together.
  state.startSoon ??= setImmediate(afterFinish, state)
}

function afterFinish(state: State): void {
  state.startSoon = undefined
  startAttempts(state)
  if (!state.loop.isRunning) scheduleWrite(state)
}

function scheduleWrite({ limiter, results }: State): void {
  if (limiter.waiting === 0) results.schedule(0)
  else {
    const isHurried = limiter.hasFreePlace() && limiter.waiting < manyWaiting
    results.schedule(isHurried ? minBatchDelayMs : maxBatchDelayMs)
  }
}

function rest(state: State, hasFailed: boolean): void {
  const { limiter, results } = state
  if (results.items.length > 0 && !hasFailed) scheduleWrite(state)
  else if (results.items.length + limiter.size === 0)
    for (const resolve of state.awaitingSettled.splice(0)) resolve()
}

function nextRound(state: State): Promise<void> {
  return new Promise((resolve) => {
    state.awaitingRound.push(resolve)
    state.loop.wake()
  })
}

function settled(state: State): Promise<void> {
  return new Promise((resolve) => {
    state.awaitingSettled.push(resolve)
    invalidateClaims(state)
  })
}

async function stop(state: State): Promise<void> {
  const { limiter, results, clock, stopWithinMs = 5 * secondMs } = state
  state.isStopping = true
  clearTimeout(state.nextTurn)
  results[Symbol.dispose]()
  await Promise.race([settled(state), sleep(stopWithinMs, undefined, { ref: false })])
  // Before they are given back: another node makes them again at once.
  state.abortSends()
  for (const claim of limiter.items()) finish(state, claim, interrupted(claim, clock.now()))
  await Promise.race([settled(state), sleep(secondMs, undefined, { ref: false })])
}
