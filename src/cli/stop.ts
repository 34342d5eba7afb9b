import { secondMs } from "../clock.ts"
import type { Log } from "../log.ts"

/** Whoever stops the service waits no longer than 15 seconds. */
const stopMs = 14 * secondMs
const exitCodes = { SIGTERM: 143, SIGINT: 130 }

/** Resolves at the first SIGTERM or SIGINT; a second one, whichever, ends the process at once. */
export function stopSignal(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let asked = false
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, () => {
      if (asked) process.exit(exitCodes[signal])
      asked = true
      resolve(signal)
    })
  return promise
}

/**
 * Ends the process in time whatever still hangs. Nothing is lost by it: what was acknowledged is committed, and what is in flight
 * stays claimable.
 */
export function endWithin(log: Log): void {
  const end = () => {
    log.warning("stopped before everything had come to its end")
    process.exit(0)
  }
  setTimeout(end, stopMs).unref()
}
