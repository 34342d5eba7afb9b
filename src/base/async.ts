import { setTimeout as timer, setImmediate as yieldToEventLoop } from "node:timers/promises"

/** Resolves after `ms`. Rejects with the signal's own reason when it is aborted before. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await timer(ms, undefined, { signal })
  } catch {
    // Node rejects with an AbortError of its own.
    throw signal?.reason
  }
}

/**
 * Resolves to the result of `work`. Rejects with `timeoutError()` when `work` takes longer than `ms`, and with the
 * signal's reason when that is aborted before. Work that goes on nevertheless is left behind, and its failure
 * ignored.
 */
export async function withTimeout<Result>(
  work: Promise<Result>,
  ms: number,
  timeoutError: () => Error,
  signal?: AbortSignal,
): Promise<Result> {
  const over = Promise.withResolvers<never>()
  const giveUp = () => over.reject(signal?.reason)
  const timeout = setTimeout(() => over.reject(timeoutError()), Math.max(ms, 0))
  signal?.addEventListener("abort", giveUp)
  if (signal?.aborted) giveUp()
  try {
    return await Promise.race([work, over.promise])
  } finally {
    clearTimeout(timeout)
    signal?.removeEventListener("abort", giveUp)
    work.catch(() => {})
  }
}

let lastTick: Promise<void> = Promise.resolve()

/**
 * Resolves in a tick of the event loop that no other caller gets. Work of some milliseconds that many may begin at
 * once waits for it before each step, so that the steps of a crowd do not come in one go and other requests are
 * served in between.
 */
export function ownTick(): Promise<void> {
  lastTick = lastTick.then(() => yieldToEventLoop())
  return lastTick
}

/** Lets `limit` tasks run at the same time; the others wait in order of arrival. */
export interface Semaphore {
  /** Resolves to a function that releases the place, once however often it is called. Rejects once aborted. */
  acquire(signal?: AbortSignal): Promise<() => void>
  /** Runs the task in a place of its own. `first` puts it at the front of the line. */
  run<Result>(task: () => Promise<Result>, first?: boolean): Promise<Result>
  running(): number
  waiting(): number
}

export function openSemaphore(limit: number): Semaphore {
  let running = 0
  const waiting: (() => void)[] = []

  /** A place that is passed on to the next in line stays taken. */
  function releaseOnce(): () => void {
    let held = true
    return () => {
      if (!held) return
      held = false
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }

  function waitInLine(signal: AbortSignal | undefined, first: boolean): Promise<void> {
    const place = Promise.withResolvers<void>()
    const begin = () => {
      signal?.removeEventListener("abort", giveUp)
      place.resolve()
    }
    const giveUp = () => {
      waiting.splice(waiting.indexOf(begin), 1)
      place.reject(signal?.reason)
    }
    signal?.addEventListener("abort", giveUp, { once: true })
    if (first) waiting.unshift(begin)
    else waiting.push(begin)
    return place.promise
  }

  async function acquire(signal?: AbortSignal, first = false): Promise<() => void> {
    signal?.throwIfAborted()
    if (running < limit) running++
    else await waitInLine(signal, first)
    return releaseOnce()
  }

  return {
    acquire,
    async run(task, first) {
      const release = await acquire(undefined, first)
      try {
        return await task()
      } finally {
        release()
      }
    },
    running: () => running,
    waiting: () => waiting.length,
  }
}
