/**
 * Asks once in `forMs`, and once for everybody who asks meanwhile: what costs something to find out, and
 * anybody may ask for. A failure is not remembered.
 */
export function remembered<Value>(forMs: number, ask: () => Promise<Value>): () => Promise<Value> {
  let answer: Promise<Value> | undefined
  let staleAt = 0

  return () => {
    if (answer && performance.now() < staleAt) return answer
    // Shared for as long as it takes.
    staleAt = Number.POSITIVE_INFINITY
    answer = ask()
    answer.then(
      () => {
        staleAt = performance.now() + forMs
      },
      () => {
        answer = undefined
      },
    )
    return answer
  }
}
