import { readFileSync } from "node:fs"

/** What `/proc` counts in, on every Linux that Bun runs on. */
const tickMs = 10

/**
 * What the event loop of a Bun process has computed so far, in milliseconds of a processor: its main thread
 * alone, to a hundredth of a second. Other processes and threads, the collector's among them, change nothing
 * in it.
 */
export function eventLoopCpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, "utf8")
  // The name, which may hold anything, stands in brackets before the third field; the 14th and 15th are utime
  // and stime.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return (Number(fields[11]) + Number(fields[12])) * tickMs
}
