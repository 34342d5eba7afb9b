import type { Answer, GetRequest } from "../../../outbound/get.ts"
import type { Network } from "./network.ts"
import {
  foreignHost,
  type ReadFailure,
  requestFailure,
  statusFailure,
  tooManyRedirects,
} from "./read-failure.ts"
import { openRetryingClient } from "./retrying-client.ts"

export interface SiteRequest extends GetRequest {
  /** Asked about every address on the way: the first, and each that a redirect leads to. */
  objection?: (url: URL, signal: AbortSignal) => Promise<ReadFailure | undefined>
  /** Headers that ask for the first address only if it has changed. */
  conditions?: Readonly<Record<string, string>>
}

export interface FetchedFile {
  outcome: "fetched"
  /** Where the redirects ended, without fragment. */
  url: URL
  headers: Headers
  bytes: Uint8Array
}

/**
 * The one way to the sites that documentation is read from. It goes to the given origins alone and follows
 * redirects. Each hop is judged like the first request.
 */
export interface SiteFetcher {
  /** Rejects only when `signal` is aborted, or nothing was sent before `giveWay`: every other failure is data. */
  request(url: URL, request: SiteRequest, signal: AbortSignal): Promise<FetchedFile | ReadFailure>
  /** Whether the address belongs to the origins; http and https are the same site. */
  admits(url: URL): boolean
  /** Pauses that long between two requests to the host, within our limits. */
  slowDown(url: URL, intervalMs: number): void
}

/** Headers that a protected site asks for. */
interface OwnHeaders {
  /** The only one that they are sent to, over https alone. */
  origin: string
  headers: Readonly<Record<string, string>>
}

export function openSiteFetcher(origins: readonly string[], network: Network, own?: OwnHeaders): SiteFetcher {
  const hosts = new Set(origins.flatMap((origin) => URL.parse(origin)?.host ?? []))
  const client = openRetryingClient(network)
  const maxRedirects = network.limits.redirects

  async function request(from: URL, request: SiteRequest, signal: AbortSignal) {
    let url = withoutFragment(from)
    // A redirect from elsewhere must not choose an address that is asked for with the owner's rights.
    let isOwn = own !== undefined && from.protocol === "https:"
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      if (!admits(url)) return foreignHost(url, redirects)
      const objection = await request.objection?.(url, signal)
      if (objection) return objection
      isOwn &&= url.origin === own?.origin
      const conditions = redirects === 0 ? request.conditions : undefined
      const sent = { ...request, ownHeaders: { ...(isOwn ? own?.headers : {}), ...conditions } }
      const reply = await client.request(url, sent, signal, redirects > 0)
      if (reply.outcome !== "answer") return requestFailure(url, reply, request.maxBytes)
      const { status, headers, bytes } = reply
      if (status < 300) return { outcome: "fetched", url, headers, bytes } as const
      if (status === 304 && conditions) return { outcome: "unchanged" } as const
      const next = redirectTarget(reply, url)
      if (!next) return statusFailure(status)
      url = next
    }
    return tooManyRedirects(maxRedirects)
  }

  function admits(url: URL): boolean {
    return /^https?:$/.test(url.protocol) && hosts.has(url.host) && !url.username && !url.password
  }

  return { request, admits, slowDown: (url, intervalMs) => client.slowDown(url.host, intervalMs) }
}

function withoutFragment(url: URL): URL {
  const whole = new URL(url)
  whole.hash = ""
  return whole
}

function redirectTarget({ status, headers }: Answer, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined
  const location = headers.get("location")
  const url = location === null ? null : URL.parse(location, from.href)
  return url ? withoutFragment(url) : undefined
}
