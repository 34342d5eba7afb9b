import { existsSync, readFileSync } from "node:fs"

// Times of the processor, in milliseconds: what else runs on the machine adds nothing to them.

/** Of this thread so far, the one that answers everybody. Bun has it, its types have not. */
export function threadCpuMs(): number {
  const { user, system } = (process as unknown as { threadCpuUsage(): NodeJS.CpuUsage }).threadCpuUsage()
  return (user + system) / 1000
}

/** Starts to count for this thread: what collects garbage or searches beside it does not count. */
export function threadWorkedMs(): () => number {
  const beforeMs = threadCpuMs()
  return () => threadCpuMs() - beforeMs
}

/** Starts to count for this process, all its threads included. */
export function workedMs(): () => number {
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
}

/** The least of three tries, or the first below `enoughMs`: a busy machine slows each down. */
export async function leastCpuMs(work: () => unknown, enoughMs = 0): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries === 0 || (tries < 3 && least > enoughMs); tries++) {
    const worked = threadWorkedMs()
    await work()
    least = Math.min(least, worked())
  }
  return least
}

/** The most time of the processor that this thread took between two turns of the event loop. */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let [longest, isOver] = [0, false]
  let beforeMs = threadCpuMs()
  const look = () => {
    const nowMs = threadCpuMs()
    longest = Math.max(longest, nowMs - beforeMs)
    beforeMs = nowMs
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  try {
    await work()
  } finally {
    isOver = true
  }
  look()
  return longest
}

const plainText = "Bonjour, je voudrais savoir quand ouvre la piscine municipale. ".repeat(12_000)

/** A fixed piece of ordinary work, about 10 ms on a core of 2026: what a test may compare with on any machine. */
function plainWork(): number {
  return plainText.toLowerCase().normalize("NFD").split(" ").sort().join("").length
}

/**
 * How many times as long as `plainWork` `work` takes, both measured in turn, so that neither a slow machine nor
 * a busy one changes the figure. The least of eight rounds, or of the first that is at most `enough`.
 */
export async function timesPlainWork(work: () => unknown, enough: number): Promise<number> {
  plainWork()
  let least = Number.POSITIVE_INFINITY
  for (let rounds = 0; rounds < 8 && least > enough; rounds++) {
    const plain = workedMs()
    plainWork()
    const plainMs = plain()
    const worked = workedMs()
    await work()
    least = Math.min(least, worked() / plainMs)
  }
  return least
}

/** The least of three tries, in milliseconds on this machine. */
export async function plainWorkMs(): Promise<number> {
  plainWork()
  return leastCpuMs(plainWork)
}

/** What `/proc` counts in, on every Linux that Bun runs on. */
const tickMs = 10

/**
 * Of the event loop of another Bun process so far, which is its main thread: to the nanosecond, or to a hundredth of a
 * second where the kernel keeps no statistics of its scheduler.
 */
export function eventLoopCpuMs(pid: number): number {
  if (existsSync(`/proc/${pid}/schedstat`))
    return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6
  const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, "utf8")
  // The name, which may hold anything, stands in brackets before the third field; the 14th and 15th are utime
  // and stime.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return (Number(fields[11]) + Number(fields[12])) * tickMs
}
