import { readFileSync } from "node:fs"

/** What the kernel counts in, on every Linux there is: the USER_HZ of proc(5). */
const ticksPerSecond = 100

/**
 * Memory of a process and of those it started, in bytes: what they have made themselves, without files that
 * the kernel may drop again. 0 for a process that has ended, and where there is no /proc.
 */
export function memoryOf(pid: number): number {
  const kilobytes = Number(/^RssAnon:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0)
  return childrenOf(pid).reduce((sum, child) => sum + memoryOf(child), kilobytes * 1024)
}

/** Processor time of a process in milliseconds, over all its threads; undefined where nobody counts it. */
export function processorMsOf(pid: number): number | undefined {
  const stat = read(`/proc/${pid}/stat`)
  // The name in brackets may hold anything.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  const ticks = Number(fields[11]) + Number(fields[12])
  return Number.isNaN(ticks) ? undefined : (ticks * 1000) / ticksPerSecond
}

/** Memory that further processes may take, in bytes: of the machine, or of the container. */
export function freeMemory(): number {
  const available = process.availableMemory()
  const allowed = process.constrainedMemory()
  // 0 where nobody says.
  return allowed > 0 ? Math.min(available, allowed - process.memoryUsage.rss()) : available
}

/** Those that the first thread started; Bun starts all of them there. */
function childrenOf(pid: number): number[] {
  return read(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number)
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return ""
  }
}
