/** Gathers items until the batch is full, or until its first item has waited long enough. */
export interface Batcher<Item> extends Disposable {
  readonly items: readonly Item[]
  add(item: Item): void
  /** Writes at once when `delayMs` is 0 or the batch is full, else after `delayMs`. An empty batch does nothing. */
  schedule(delayMs: number): void
  take(): Item[]
  /** Puts back a batch that could not be written, ahead of what was added since. */
  putBack(items: readonly Item[]): void
}

export type StartTimer = (run: () => void, delayMs: number) => () => void

export function openBatcher<Item>(
  maxBatch: number,
  write: () => void,
  startTimer: StartTimer = systemTimer,
): Batcher<Item> {
  let items: Item[] = []
  let stopTimer: (() => void) | undefined

  function endWait(): void {
    stopTimer?.()
    stopTimer = undefined
  }

  return {
    get items() {
      return items
    },
    add: (item) => void items.push(item),
    schedule(delayMs) {
      if (items.length === 0) return
      if (delayMs === 0 || items.length >= maxBatch) write()
      else
        stopTimer ??= startTimer(() => {
          stopTimer = undefined
          write()
        }, delayMs)
    },
    take() {
      endWait()
      const taken = items
      items = []
      return taken
    },
    putBack(taken) {
      items = [...taken, ...items]
    },
    [Symbol.dispose]: endWait,
  }
}

function systemTimer(run: () => void, delayMs: number): () => void {
  const timer = setTimeout(run, delayMs)
  return () => clearTimeout(timer)
}
