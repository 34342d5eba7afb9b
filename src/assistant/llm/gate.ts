import { ModelFailure } from "./failure.ts"

/** Lets a few in at a time, and a few wait. */
export interface Gate {
  /**
   * Resolves to what gives the place back. Throws ModelFailure `crowded` when the line is full, or at once
   * when aborted.
   */
  enter(signal: AbortSignal): Promise<() => void>
  inside(): number
  waiting(): number
}

export function openGate(limits: { inFlight: number; waiting: number }): Gate {
  let inside = 0
  const line: (() => void)[] = []

  function leave(): void {
    const next = line.shift()
    if (next) next()
    else inside--
  }

  /** What is called twice gives back once. */
  function place(): () => void {
    let held = true
    return () => {
      if (held) leave()
      held = false
    }
  }

  return {
    inside: () => inside,
    waiting: () => line.length,
    async enter(signal) {
      signal.throwIfAborted()
      if (inside < limits.inFlight) {
        inside++
        return place()
      }
      if (line.length >= limits.waiting) throw new ModelFailure("crowded")
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const turn = () => {
        signal.removeEventListener("abort", giveUp)
        resolve()
      }
      const giveUp = () => {
        line.splice(line.indexOf(turn), 1)
        reject(signal.reason)
      }
      signal.addEventListener("abort", giveUp, { once: true })
      line.push(turn)
      await promise
      return place()
    },
  }
}
