import { setImmediate as yieldToEventLoop } from "node:timers/promises"

/** Runs turns, one at a time: one for each wake, and one for all wakes that come during a turn. */
export interface WakeLoop {
  wake(): void
  readonly isRunning: boolean
}

export interface WakeLoopOptions {
  turn(): Promise<void>
  /** A turn was rejected, and the one before it was not. The loop goes on with the next wake. */
  onError(error: unknown): void
  /** The loop rests until the next wake. `hasFailed`: the last turn was rejected. */
  onRest(hasFailed: boolean): void
}

export function openWakeLoop({ turn, onError, onRest }: WakeLoopOptions): WakeLoop {
  let isWoken = false
  let isRunning = false
  let hasFailed = false

  async function run(): Promise<void> {
    isRunning = true
    // Everything that happens in this round of the event loop goes into the same turn.
    await yieldToEventLoop()
    try {
      while (isWoken) {
        isWoken = false
        await turn()
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
