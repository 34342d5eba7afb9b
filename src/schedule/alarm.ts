import { Cron } from "croner"
import { secondMs } from "../clock.ts"
import type { Log } from "../log.ts"

/** Wakes somebody once at a time that they move as they learn more. */
export interface Alarm extends Disposable {
  /** In so many milliseconds, 0 for as soon as possible; takes the place of what was set before. */
  setIn(delayMs: number): void
  clear(): void
}

/** Rings at the full second after the time, never before it. What fails while it rings is logged. */
export function openAlarm(ring: () => Promise<void> | void, log: Log): Alarm {
  let cron: Cron | undefined

  function clear(): void {
    cron?.stop()
    cron = undefined
  }

  return {
    setIn(delayMs) {
      clear()
      const at = performance.timeOrigin + performance.now() + Math.max(delayMs, 0)
      const second = delayMs <= 0 ? at : Math.ceil(at / secondMs) * secondMs
      const options = {
        allowPast: true,
        protect: true,
        unref: true,
        catch: (error: unknown) => log.error("alarm failed", { error }),
      }
      cron = new Cron(new Date(second), options, ring)
    },
    clear,
    [Symbol.dispose]: clear,
  }
}
