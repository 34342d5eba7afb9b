/** Runs at most `limit` tasks at the same time; the others wait in order of arrival. */
export type Semaphore = <Result>(work: () => Promise<Result>) => Promise<Result>

export function openSemaphore(limit: number): Semaphore {
  let running = 0
  const waiting: (() => void)[] = []

  return async (work) => {
    if (running < limit) running++
    else {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push(resolve)
      // The task that ends passes its place on, so `running` stays the same.
      await promise
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
