/** Starts to count what this process computes, in milliseconds of a processor: a machine that is busy with others adds nothing to it. */
export function workedMs(): () => number {
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
}
