import { secondMs } from "../../../base/clock.ts"
import { detail, type Told } from "../../../base/errors.ts"
import { addressJudge } from "./address.ts"
import type { Network } from "./network.ts"
import { openPace } from "./pace.ts"
import { type Reply, request, type Wanted } from "./request.ts"

/** Requests at the pace each host asks for, tried again while that may help. */
export interface Tries {
  /** The last reply. Rejects only when `signal` is aborted. */
  ask(url: URL, wanted: Wanted, signal: AbortSignal): Promise<Reply>
  slowDown(host: string, intervalMs: number): void
}

export function openTries(network: Network): Tries {
  const { limits } = network
  const addressesOf = addressJudge(network)
  const pace = openPace(network)
  /**
   * Requests in a row that a host left without a real answer: a host that is down must not cost minutes a
   * page.
   */
  const silences = new Map<string, number>()
  const answering = new Map<string, string>()

  async function ask(url: URL, wanted: Wanted, signal: AbortSignal): Promise<Reply> {
    const silent = silences.get(url.host) ?? 0
    if (silent >= limits.failuresUntilDown) return broken(detail("reading.hostSilent", { host: url.host }))
    for (let attempt = 0; ; attempt++) {
      await pace.turn(url.host, signal)
      const reply = await once(url, wanted, attempt, signal)
      const trouble = troubleOf(reply)
      if (!trouble) silences.delete(url.host)
      if (!trouble || reply.reply === "refused") return reply
      const waitMs = retryAfterMs(reply, network) ?? limits.backOffMs * 4 ** attempt
      const tooLate = waitMs > limits.longestRetryAfterMs
      if (attempt >= limits.retries || tooLate) {
        if (trouble === "silent") silences.set(url.host, (silences.get(url.host) ?? 0) + 1)
        const seconds = Math.ceil(waitMs / secondMs)
        return tooLate ? broken(detail("reading.comeBackLater", { seconds })) : reply
      }
      if (trouble === "silent") pace.hold(url.host, waitMs)
      else await network.sleep(waitMs, signal)
    }
  }

  /** Each try goes to the next address of the host, beginning with the one that answered last. */
  async function once(url: URL, wanted: Wanted, attempt: number, signal: AbortSignal): Promise<Reply> {
    const found = await addressesOf(url)
    if ("refused" in found) return { reply: "refused", detail: found.refused }
    if ("unknown" in found) return broken(found.unknown)
    const { addresses } = found
    const start = Math.max(0, addresses.indexOf(answering.get(url.host) ?? ""))
    const address = addresses[(start + attempt) % addresses.length] as string
    const reply = await request(url, address, wanted, network, signal)
    if (reply.reply === "answer") answering.set(url.host, address)
    return reply
  }

  return { ask, slowDown: pace.slowDown }
}

/**
 * `silent`: the host as a whole seems unable to answer. `error`: this one address of it is. Both may pass.
 */
function troubleOf(reply: Reply): "silent" | "error" | undefined {
  if (reply.reply === "too_large") return undefined
  if (reply.reply !== "answer" || [429, 502, 503, 504].includes(reply.status)) return "silent"
  return reply.status >= 500 ? "error" : undefined
}

/** `Retry-After` in either of its forms (RFC 9110, 10.2.3). */
function retryAfterMs(reply: Reply, { clock }: Network): number | undefined {
  const text = reply.reply === "answer" ? reply.headers.get("retry-after")?.trim() : undefined
  if (!text) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * secondMs : Date.parse(text) - clock.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

function broken(why: Told): Reply {
  return { reply: "broken", detail: why }
}
