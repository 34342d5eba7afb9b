import { closeSync, openSync, readFileSync } from "node:fs"
import { secondMs } from "../../base/clock.ts"
import { type Explanation, Refusal } from "../../base/errors.ts"
import type { Log } from "../../base/log.ts"

/** Less than the 15 seconds within which `serve` promises to stop. */
const stopMs = 14 * secondMs
const exitCodes = { SIGTERM: 143, SIGINT: 130, SIGHUP: 129 }

/**
 * Resolves to the first SIGTERM or SIGINT, or SIGHUP of a process whose terminal is closed. A second signal ends
 * the process at once. `onHangUp` is called at SIGHUP where no terminal can be closed, or is to be outlived; without
 * it such a process stops too, unless it is to outlive its terminal.
 */
export function stopSignal(onHangUp?: () => void): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let stopping = false
  const outlives = outlivesTerminal()
  const reloads = onHangUp !== undefined && (outlives || !hasTerminal())
  if (reloads) process.on("SIGHUP", onHangUp)
  const signals = ["SIGTERM", "SIGINT", ...(outlives || reloads ? [] : (["SIGHUP"] as const))] as const
  for (const signal of signals)
    process.on(signal, () => {
      if (stopping) process.exit(exitCodes[signal])
      stopping = true
      resolve(signal)
    })
  return promise
}

/**
 * Does work that ends early, with this reason, once the process is told to stop, so that it can take back what it did.
 * A second signal ends the process at once.
 */
export async function untilStopped<Result>(
  why: Explanation,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController()
  const abort = () => stop.abort(new Refusal("unavailable", "", { reason: why }))
  const signals = ["SIGINT", "SIGTERM", ...(outlivesTerminal() ? [] : (["SIGHUP"] as const))] as const
  for (const signal of signals) process.once(signal, abort)
  try {
    return await work(stop.signal)
  } finally {
    for (const signal of signals) process.off(signal, abort)
  }
}

/** Whether the process has a controlling terminal (tty(4)). */
function hasTerminal(): boolean {
  try {
    closeSync(openSync("/dev/tty", "r"))
    return true
  } catch {
    return false
  }
}

/** `nohup` makes a process ignore SIGHUP; a handler of ours would undo that. */
function outlivesTerminal(): boolean {
  try {
    const [, ignored = "0"] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? []
    // SigIgn is a mask in hexadecimal: signal 1, SIGHUP, is its lowest bit.
    return Number.parseInt(ignored.slice(-1), 16) % 2 === 1
  } catch {
    // Without /proc it is unknown: a closed terminal stops the service, as is usual.
    return false
  }
}

/** Nothing is lost: every acknowledged write is committed, and attempts in flight stay claimable. */
export function exitInTime(log: Log, withinMs = stopMs): void {
  const end = () => {
    log.warning("stopped before everything had come to its end")
    process.exit(0)
  }
  setTimeout(end, withinMs).unref()
}
