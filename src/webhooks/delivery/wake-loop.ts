import { setImmediate as yieldToEventLoop } from "node:timers/promises"

/** Runs rounds, one at a time: one for each wake, and one for all wakes that come during a round. */
export interface WakeLoop {
  wake(): void
  readonly isRunning: boolean
}

export interface WakeLoopOptions {
  round(): Promise<void>
  /** A round was rejected, and the one before it was not. The loop goes on with the next wake. */
  onError(error: unknown): void
  /** The loop rests until the next wake. `hasFailed`: the last round was rejected. */
  onRest(hasFailed: boolean): void
}

export function openWakeLoop({ round, onError, onRest }: WakeLoopOptions): WakeLoop {
  let isWoken = false
  let isRunning = false
  let hasFailed = false

  async function run(): Promise<void> {
    isRunning = true
    // Everything that happens in this tick of the event loop goes into the same round.
    await yieldToEventLoop()
    try {
      while (isWoken) {
        isWoken = false
        await round()
        hasFailed = false
      }
    } catch (error) {
      if (!hasFailed) onError(error)
      hasFailed = true
    }
    isRunning = false
    if (isWoken) void run()
    else onRest(hasFailed)
  }

  return {
    get isRunning() {
      return isRunning
    },
    wake() {
      isWoken = true
      if (!isRunning) void run()
    },
  }
}
