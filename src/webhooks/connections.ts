import { secondMs } from "../clock.ts"
import type { Answer } from "./answer.ts"
import { type Connection, dial, type Failure } from "./connection.ts"
import type { Target } from "./resolve.ts"

/** The connections to customers' applications: each to a judged address, its certificate checked against the name it was made for. */
export interface Connections {
  /** Sends a request over one of this address and this name, a kept one if there is. */
  exchange(target: Target, name: string, request: Uint8Array, signal: AbortSignal): Promise<Answer | Failure>
}

/** Below what servers commonly keep an idle connection for. */
const keepForMs = secondMs
const maxKept = 256

export function openConnections(ca: string | undefined): Connections {
  /** By name and address, the one used last at the end. */
  const kept = new Map<string, { connection: Connection; sinceMs: number }[]>()
  let keptInAll = 0
  let sweeping: NodeJS.Timeout | undefined

  function takeKept(key: string): Connection | undefined {
    const ofKey = kept.get(key)
    for (let last = ofKey?.pop(); last; last = ofKey?.pop()) {
      keptInAll--
      if (last.connection.isOpen && isYoung(last.sinceMs)) return last.connection
      last.connection.close()
    }
    kept.delete(key)
    return undefined
  }

  function keep(key: string, connection: Connection): void {
    if (keptInAll >= maxKept) {
      connection.close()
      return
    }
    const ofKey = kept.get(key) ?? []
    kept.set(key, ofKey)
    ofKey.push({ connection, sinceMs: performance.now() })
    keptInAll++
    sweepLater()
  }

  function sweepLater(): void {
    sweeping ??= setTimeout(sweep, keepForMs)
    sweeping.unref()
  }

  function sweep(): void {
    sweeping = undefined
    for (const [key, ofKey] of kept) {
      const young = ofKey.filter(({ sinceMs }) => isYoung(sinceMs))
      for (const one of ofKey) if (!young.includes(one)) one.connection.close()
      keptInAll -= ofKey.length - young.length
      if (young.length > 0) kept.set(key, young)
      else kept.delete(key)
    }
    if (keptInAll > 0) sweepLater()
  }

  return {
    async exchange(target, name, request, signal) {
      const key = `${name} ${target.ip} ${target.port}`
      async function over(connection: Connection): Promise<Answer | Failure> {
        const answered = await connection.exchange(request, signal)
        if (connection.isOpen) keep(key, connection)
        return answered
      }
      const before = takeKept(key)
      const answered = before && (await over(before))
      if (answered && !isOfItsEnd(answered)) return answered
      return over(dial(target, name, ca))
    },
  }
}

/**
 * Many servers close a connection after an answer without a word, or have something left to say over it: that is no failure of what is
 * asked next. Should the request have been read all the same, it comes twice, as it would by the next attempt.
 */
function isOfItsEnd(answered: Answer | Failure): boolean {
  return "outcome" in answered && answered.outcome !== "timeout"
}

function isYoung(sinceMs: number): boolean {
  return performance.now() - sinceMs < keepForMs
}
