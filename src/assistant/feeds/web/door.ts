import { detail } from "../../../base/errors.ts"
import type { Network } from "./network.ts"
import type { Reply, Wanted } from "./request.ts"
import { openTries } from "./tries.ts"
import { foreign, tooLarge, type Unread } from "./unread.ts"

export interface Visit extends Wanted {
  /** Asked about every address on the way, the first and each that a redirect leads to. */
  objection?: (url: URL, signal: AbortSignal) => Promise<Unread | undefined>
}

export interface Fetched {
  outcome: "fetched"
  /** Where the redirects ended, without fragment. */
  url: URL
  headers: Headers
  bytes: Uint8Array
}

/**
 * The one way to the sites that documentation is read from. It goes to the given origins alone, at a bounded
 * rate for each host, and only to addresses it judged, all of it again after every redirect.
 */
export interface Door {
  /** Rejects only when `signal` is aborted: whatever else happens is data. */
  visit(url: URL, visit: Visit, signal: AbortSignal): Promise<Fetched | Unread>
  /** Whether the address belongs to the origins; http and https are the same site. */
  admits(url: URL): boolean
  /** Pauses that long between two requests to the host, within our limits. */
  slowDown(url: URL, intervalMs: number): void
}

export function openDoor(origins: readonly string[], network: Network): Door {
  const hosts = new Set(origins.flatMap((origin) => URL.parse(origin)?.host ?? []))
  const tries = openTries(network)

  async function visit(from: URL, visit: Visit, signal: AbortSignal): Promise<Fetched | Unread> {
    let url = withoutFragment(from)
    for (let redirects = 0; redirects <= network.limits.redirects; redirects++) {
      if (!admits(url)) return foreign(url, redirects)
      const objection = await visit.objection?.(url, signal)
      if (objection) return objection
      const reply = await tries.ask(url, visit, signal)
      if (reply.reply === "too_large") return tooLarge(visit.maxBytes)
      if (reply.reply !== "answer") return { outcome: "failed", detail: reply.detail }
      if (reply.status < 300) return { outcome: "fetched", url, headers: reply.headers, bytes: reply.bytes }
      const next = destination(reply, url)
      if (!next) return unread(reply.status)
      url = next
    }
    const most = network.limits.redirects
    return { outcome: "failed", detail: detail("reading.tooManyRedirects", { most }) }
  }

  function admits(url: URL): boolean {
    return /^https?:$/.test(url.protocol) && hosts.has(url.host) && !url.username && !url.password
  }

  return { visit, admits, slowDown: (url, intervalMs) => tries.slowDown(url.host, intervalMs) }
}

function withoutFragment(url: URL): URL {
  const whole = new URL(url)
  whole.hash = ""
  return whole
}

function destination({ status, headers }: Extract<Reply, { reply: "answer" }>, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined
  const location = headers.get("location")
  const url = location === null ? null : URL.parse(location, from.href)
  return url ? withoutFragment(url) : undefined
}

function unread(status: number): Unread {
  if (status === 404 || status === 410) return { outcome: "gone" }
  return { outcome: "failed", detail: detail("reading.answered", { status }), status }
}
