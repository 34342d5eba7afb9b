/** Ends work: an `AbortSignal`, or the lighter one of a time limit. */
export interface StopSignal {
  readonly aborted: boolean
  addEventListener(type: "abort", listener: () => void): void
  removeEventListener(type: "abort", listener: () => void): void
}

/** Aborts whatever takes longer than its limit. For thousands of requests a second. */
export interface TimeLimit {
  start(): StopSignal
  /** The work ended by itself. Its listeners have left the signal. */
  end(started: StopSignal): void
  /** Aborts everything that is under way, as if its time were over. */
  abortAll(): void
}

/**
 * One timer serves all requests: decision "pinned TLS connections" has the figures. `AbortSignal.timeout` would
 * stay for its whole time, and thousands of them would pile up.
 */
export function openTimeLimit(limitMs: number): TimeLimit {
  /** When the time of each is over, by a clock that does not leap, the soonest first. */
  const running = new Map<Stop, number>()
  let timer: NodeJS.Timeout | undefined

  function wait(ms: number): void {
    timer = setTimeout(abortLate, ms)
    // The timer goes on when everything has ended, and must not keep a stopped process alive.
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
      const started = openStop()
      running.set(started, performance.now() + limitMs)
      if (!timer) wait(limitMs)
      return started
    },
    end: (started) => void running.delete(started as Stop),
    abortAll() {
      for (const started of running.keys()) {
        running.delete(started)
        started.abort()
      }
    },
  }
}

interface Stop extends StopSignal {
  aborted: boolean
  abort(): void
}

function openStop(): Stop {
  let listeners: (() => void)[] = []
  return {
    aborted: false,
    addEventListener: (_, listener) => void listeners.push(listener),
    removeEventListener(_, listener) {
      listeners = listeners.filter((each) => each !== listener)
    },
    abort() {
      this.aborted = true
      for (const listener of listeners) listener()
    },
  }
}

export interface ProgressLimits {
  wholeTimeoutMs: number
  stallTimeoutMs: number
}

export interface Timeout {
  outcome: "timeout"
  limit: "whole" | "stall"
  limitMs: number
}

/** Aborts one request that takes too long as a whole, or that receives nothing for too long. */
export interface ProgressLimit extends Disposable {
  signal: AbortSignal
  progress(): void
  /** The limit that aborted the request. */
  timeout(): Timeout | undefined
}

export function startProgressLimit({ wholeTimeoutMs, stallTimeoutMs }: ProgressLimits): ProgressLimit {
  const controller = new AbortController()
  let timeout: Timeout | undefined
  const abort = (limit: Timeout["limit"], limitMs: number) => () => {
    timeout ??= { outcome: "timeout", limit, limitMs }
    controller.abort()
  }
  const abortStalled = abort("stall", stallTimeoutMs)
  const whole = setTimeout(abort("whole", wholeTimeoutMs), wholeTimeoutMs)
  let stall = setTimeout(abortStalled, stallTimeoutMs)
  return {
    signal: controller.signal,
    progress() {
      clearTimeout(stall)
      stall = setTimeout(abortStalled, stallTimeoutMs)
    },
    timeout: () => timeout,
    [Symbol.dispose]() {
      clearTimeout(whole)
      clearTimeout(stall)
    },
  }
}
