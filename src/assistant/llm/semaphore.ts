import { ModelFailure } from "./failure.ts"

/** A counting semaphore with a bounded first-come, first-served queue. */
export interface Semaphore {
  /**
   * Resolves to a function that releases the place. Throws ModelFailure `crowded` when the queue is full, and
   * the signal's reason as soon as it is aborted.
   */
  acquire(signal: AbortSignal): Promise<() => void>
  inUse(): number
  waiting(): number
}

export function openSemaphore(limits: { inFlight: number; waiting: number }): Semaphore {
  let inUse = 0
  const queue: (() => void)[] = []

  function release(): void {
    const next = queue.shift()
    if (next) next()
    else inUse--
  }

  /** Releases once, however often the result is called. */
  function releaseOnce(): () => void {
    let isHeld = true
    return () => {
      if (isHeld) release()
      isHeld = false
    }
  }

  return {
    inUse: () => inUse,
    waiting: () => queue.length,
    async acquire(signal) {
      signal.throwIfAborted()
      if (inUse < limits.inFlight) {
        inUse++
        return releaseOnce()
      }
      if (queue.length >= limits.waiting) throw new ModelFailure("crowded")
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const onRelease = () => {
        signal.removeEventListener("abort", onAbort)
        resolve()
      }
      const onAbort = () => {
        queue.splice(queue.indexOf(onRelease), 1)
        reject(signal.reason)
      }
      signal.addEventListener("abort", onAbort, { once: true })
      queue.push(onRelease)
      await promise
      return releaseOnce()
    },
  }
}
