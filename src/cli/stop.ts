import { readFileSync } from "node:fs"
import { secondMs } from "../base/clock.ts"
import type { Log } from "../base/log.ts"

/** Whoever stops the service waits no longer than 15 seconds. */
const stopMs = 14 * secondMs
const exitCodes = { SIGTERM: 143, SIGINT: 130, SIGHUP: 129 }

/**
 * Resolves at the first SIGTERM, SIGINT or SIGHUP (the terminal it was started from is closed); a second one,
 * whichever, ends the process at once.
 */
export function stopSignal(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let asked = false
  const wanted = ["SIGTERM", "SIGINT", ...(outlivesTerminal() ? [] : (["SIGHUP"] as const))] as const
  for (const signal of wanted)
    process.on(signal, () => {
      if (asked) process.exit(exitCodes[signal])
      asked = true
      resolve(signal)
    })
  return promise
}

/**
 * Whether it was started to go on without its terminal (`nohup`), which has SIGHUP ignored: to listen to it
 * would undo that.
 */
function outlivesTerminal(): boolean {
  try {
    const [, ignored = "0"] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? []
    // The mask of signals, SIGHUP in the lowest bit.
    return Number.parseInt(ignored.slice(-1), 16) % 2 === 1
  } catch {
    // A system without /proc does not tell.
    return false
  }
}

/**
 * Ends the process in time whatever still hangs. Nothing is lost by it: what was acknowledged is committed,
 * and what is in flight stays claimable.
 */
export function endWithin(log: Log): void {
  const end = () => {
    log.warning("stopped before everything had come to its end")
    process.exit(0)
  }
  setTimeout(end, stopMs).unref()
}
