/**
 * Works on the items, at most `atOnce` at a time, and yields the results as they come. A caller that stops
 * the iteration aborts the work under way, and so do `signal` and the first rejection, which is thrown.
 */
export async function* concurrently<Item, Result>(
  items: Iterable<Item>,
  atOnce: number,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal,
): AsyncGenerator<Result> {
  const ours = new AbortController()
  const either = AbortSignal.any([signal, ours.signal])
  const running = new Map<number, Promise<{ number: number; result: Result }>>()
  let number = 0
  const waiting = items[Symbol.iterator]()

  function fill(): void {
    while (running.size < atOnce) {
      const next = waiting.next()
      if (next.done) return
      const mine = number++
      running.set(
        mine,
        work(next.value, either).then((result) => ({ number: mine, result })),
      )
    }
  }

  try {
    for (fill(); running.size > 0; fill()) {
      const first = await Promise.race(running.values())
      running.delete(first.number)
      yield first.result
    }
  } finally {
    ours.abort()
    await Promise.allSettled(running.values())
  }
}
