import { readFileSync } from "node:fs"

/** USER_HZ of proc(5), the unit of processor times; 100 on every Linux that Bun runs on. */
const ticksPerSecond = 100

/**
 * Anonymous memory of a process and its descendants, in bytes. File pages do not count: the kernel may drop
 * them. 0 for a process that has ended, and without /proc.
 */
export function processMemory(pid: number): number {
  const kilobytes = Number(/^RssAnon:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0)
  return childPids(pid).reduce((sum, child) => sum + processMemory(child), kilobytes * 1024)
}

/** Processor time of a process over all its threads, in milliseconds; undefined without /proc. */
export function processorMsOf(pid: number): number | undefined {
  const stat = read(`/proc/${pid}/stat`)
  // The second field is the name in parentheses, which may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  const ticks = Number(fields[11]) + Number(fields[12])
  return Number.isNaN(ticks) ? undefined : (ticks * 1000) / ticksPerSecond
}

/** Free memory for further processes, in bytes, of the machine or of the container. */
export function freeMemory(): number {
  const available = process.availableMemory()
  const allowed = process.constrainedMemory()
  // 0 means that there is no limit.
  return allowed > 0 ? Math.min(available, allowed - process.memoryUsage.rss()) : available
}

/** Children of the first thread, which are all: Bun starts every process from it. */
function childPids(pid: number): number[] {
  return read(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number)
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return ""
  }
}
