/**
 * What this thread took of the processor: other processes change nothing of it. Bun has it, its types have
 * not.
 */
export function threadCpuMs(): number {
  const { user, system } = (process as unknown as { threadCpuUsage(): NodeJS.CpuUsage }).threadCpuUsage()
  return (user + system) / 1000
}

/**
 * The smallest of three tries, or the first below `enoughMs`: what else runs on the machine slows each down.
 */
export async function leastCpuMs(work: () => unknown, enoughMs = 0): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries === 0 || (tries < 3 && least > enoughMs); tries++) {
    const startMs = threadCpuMs()
    await work()
    least = Math.min(least, threadCpuMs() - startMs)
  }
  return least
}
