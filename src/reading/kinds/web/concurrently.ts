/**
 * Works on the items, at most `atOnce` at a time, and yields the results as they come. A caller that stops
 * the iteration aborts the work under way, and so do `signal` and the first rejection, which is thrown.
 * Once `giveWay` is aborted nothing more is begun: what is under way is waited for, and its results are yielded; a
 * rejection then is work that gave way too. At the end the signal's reason is thrown.
 */
export async function* concurrently<Item, Result>(
  items: Iterable<Item>,
  atOnce: number,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal,
  giveWay?: AbortSignal,
): AsyncGenerator<Result> {
  const ours = new AbortController()
  const either = AbortSignal.any([signal, ours.signal])
  const running = new Map<number, Promise<Settled<Result>>>()
  let number = 0
  const waiting = items[Symbol.iterator]()

  function fill(): void {
    while (running.size < atOnce && !giveWay?.aborted) {
      const next = waiting.next()
      if (next.done) return
      const mine = number++
      running.set(
        mine,
        work(next.value, either).then(
          (result) => ({ number: mine, result }),
          (error) => ({ number: mine, error }),
        ),
      )
    }
  }

  try {
    for (fill(); running.size > 0; fill()) {
      const first = await Promise.race(running.values())
      running.delete(first.number)
      if ("result" in first) yield first.result
      else if (signal.aborted || !giveWay?.aborted) throw first.error
    }
    giveWay?.throwIfAborted()
  } finally {
    ours.abort()
    await Promise.all(running.values())
  }
}

type Settled<Result> = { number: number; result: Result } | { number: number; error: unknown }
