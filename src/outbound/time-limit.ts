/** Aborts what takes longer than so many milliseconds. */
export interface TimeLimit {
  /** It begins now. */
  start(): AbortController
  /** It ended by itself. */
  end(started: AbortController): void
}

/**
 * One timer for all, whatever their number: one each took a thirtieth of the time of an attempt, and a new
 * controller each as much again; what listens to a signal is therefore to stop listening. Not
 * AbortSignal.timeout either, which stays for its whole time, and thousands of attempts a second would pile
 * up.
 */
export function openTimeLimit(limitMs: number): TimeLimit {
  /** When the time of each is over, by a clock that does not leap, the soonest first. */
  const running = new Map<AbortController, number>()
  /** Of those that ended by themselves, to be used again: as many as ever ran at once. */
  const unused: AbortController[] = []
  let timer: NodeJS.Timeout | undefined

  function wait(ms: number): void {
    timer = setTimeout(abortLate, ms)
    // What has been ended does not keep a stopped process alive.
    timer.unref()
  }

  function abortLate(): void {
    timer = undefined
    for (const [started, overAtMs] of running) {
      const leftMs = overAtMs - performance.now()
      if (leftMs > 0) {
        wait(leftMs)
        return
      }
      running.delete(started)
      started.abort()
    }
  }

  return {
    start() {
      const started = unused.pop() ?? new AbortController()
      running.set(started, performance.now() + limitMs)
      if (!timer) wait(limitMs)
      return started
    },
    end(started) {
      running.delete(started)
      if (!started.signal.aborted) unused.push(started)
    },
  }
}
