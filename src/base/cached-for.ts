/**
 * Caches the result of `load` for `ttlMs`. Concurrent callers share one call. A failure is not cached.
 * Protects an expensive check that anybody may request.
 */
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
