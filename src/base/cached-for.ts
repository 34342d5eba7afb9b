/** Concurrent callers share one call, and a failure is not cached: anybody may request an expensive check. */
export function cachedFor<Value>(ttlMs: number, load: () => Promise<Value>): () => Promise<Value> {
  let answer: Promise<Value> | undefined
  let staleAt = 0

  return () => {
    if (answer && performance.now() < staleAt) return answer
    // Fresh for as long as the call takes.
    staleAt = Number.POSITIVE_INFINITY
    answer = load()
    answer.then(
      () => {
        staleAt = performance.now() + ttlMs
      },
      () => {
        answer = undefined
      },
    )
    return answer
  }
}
