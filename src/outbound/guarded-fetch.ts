import { secondMs } from "../base/clock.ts"
import { openClient } from "./client.ts"
import { portNumber } from "./get.ts"
import type { OutboundProxy } from "./proxy.ts"
import { isPublicSite, openResolve, systemAddresses } from "./resolve.ts"

interface GuardedFetchOptions {
  /** The one origin that may be on a private network: the owner of the machine has set it. */
  ownOrigin: string
  ca(): string
  proxy?: OutboundProxy | undefined
}

/** The part of `RequestInit` that a library for such requests gives. */
interface Init {
  method: string
  headers: Record<string, string>
  body?: unknown
  signal?: AbortSignal | undefined
}

const timeoutMs = 10 * secondMs
const maxBytes = 512 * 1024

/**
 * The guarded client in the shape of `fetch`, for a library that sends requests by itself: to `ownOrigin`, and to
 * public addresses of https that the server there names. Follows no redirect. Rejects with a TypeError, as `fetch`
 * does, whose message is the code of the failure.
 */
export function guardedFetch({ ownOrigin, ca, proxy }: GuardedFetchOptions) {
  const client = openClient(proxy)
  const resolveOwn = openResolve({ lookup: systemAddresses, mayConnectTo: () => true })
  const resolveOther = openResolve({ lookup: systemAddresses, mayConnectTo: isPublicSite })

  return async (address: string, { method, headers, body, signal: given }: Init): Promise<Response> => {
    const url = new URL(address)
    const isOwn = url.origin === ownOrigin
    if (!isOwn && url.protocol !== "https:") throw new TypeError("not_https")
    if (method !== "GET" && method !== "POST") throw new TypeError("method")
    const limit = AbortSignal.timeout(timeoutMs)
    const signal = given ? AbortSignal.any([given, limit]) : limit
    const resolution = await (isOwn ? resolveOwn : resolveOther)(url.hostname, portNumber(url), signal)
    if ("outcome" in resolution) throw new TypeError(resolution.outcome)
    const scheme = url.protocol === "https:" ? "https:" : "http:"
    const reply = await client.request(
      resolution,
      { scheme, host: url.host, path: url.pathname + url.search, ca: ca() },
      {
        method,
        newHeaders: () => ({ ...headers, "accept-encoding": "identity" }),
        ...(method === "POST" && { body: Buffer.from(String(body ?? "")) }),
        wantedBytes: () => maxBytes,
        signal,
      },
    )
    if ("outcome" in reply) throw new TypeError("code" in reply ? reply.code : reply.outcome)
    if (reply.body !== "whole") throw new TypeError(reply.body === "long" ? "too_large" : "ECONNRESET")
    const type = reply.fields.find(([name]) => name === "content-type")?.[1]
    const challenge = reply.fields.find(([name]) => name === "www-authenticate")?.[1]
    const content = [101, 204, 205, 304].includes(reply.status) ? null : new Uint8Array(reply.bytes)
    return new Response(content, {
      status: reply.status,
      headers: {
        ...(type && { "content-type": type }),
        ...(challenge && { "www-authenticate": challenge }),
      },
    })
  }
}
