/**
 * Begins something at an even pace until a moment of `performance.now()`, however long each takes; resolves
 * when all have ended.
 */
export async function evenly(everyMs: number, untilMs: number, begin: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now()
  const running = new Set<Promise<unknown>>()
  const problems: unknown[] = []
  for (let count = 0; performance.now() < untilMs && problems.length === 0; count++) {
    const waitMs = Math.min(startedAt + count * everyMs, untilMs) - performance.now()
    if (waitMs > 0) await Bun.sleep(waitMs)
    const one: Promise<unknown> = begin().then(
      () => running.delete(one),
      (problem) => problems.push(problem),
    )
    running.add(one)
  }
  await Promise.all(running)
  if (problems.length > 0) throw problems[0]
}
