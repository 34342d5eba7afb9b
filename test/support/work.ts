/**
 * Starts to count what this process computes, in milliseconds of a processor: a machine that is busy with
 * others adds nothing to it.
 */
export function workedMs(): () => number {
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
}

/**
 * The same of this thread alone, the one that answers everybody: what collects garbage or searches beside it
 * does not count.
 */
export function threadWorkedMs(): () => number {
  const before = threadCpuUsage()
  return () => {
    const { user, system } = threadCpuUsage(before)
    return (user + system) / 1000
  }
}

/** Node's types know it since version 24, Bun's not yet. */
const { threadCpuUsage } = process as unknown as { threadCpuUsage: typeof process.cpuUsage }
