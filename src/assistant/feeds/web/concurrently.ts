/**
 * Works on the items, at most that many at once, and yields the results as they come. Whoever stops listening
 * aborts what is under way, and so does `signal`; the first rejection ends everything.
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
