/** Runs work, some at a time, the rest in the order it came. */
export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>

export function openTurns(atOnce: number): Turns {
  let running = 0
  const line: (() => void)[] = []

  return async (work) => {
    if (running < atOnce) running++
    else {
      const { promise, resolve } = Promise.withResolvers<void>()
      line.push(resolve)
      // Whoever ends gives the place on.
      await promise
    }
    try {
      return await work()
    } finally {
      const next = line.shift()
      if (next) next()
      else running--
    }
  }
}
