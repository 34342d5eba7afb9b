import { isIP } from "node:net"
import { gunzipAtMost, readStart } from "./body.ts"
import { type FetchFailure, fetchFailure, pinnedFetch, pinnedTls } from "./pinned-fetch.ts"
import type { Target } from "./resolve.ts"
import { type ProgressLimits, startProgressLimit, type Timeout } from "./time-limit.ts"

export interface GetRequest {
  method: "GET" | "HEAD"
  /** The `Accept` header. */
  accept: string
  /** Of the body, as sent and as unpacked. */
  maxBytes: number
}

export interface GetOptions {
  userAgent: string
  /** See `PinnedTls`. */
  ca?: string
  limits: ProgressLimits
}

export interface Answer {
  outcome: "answer"
  status: number
  headers: Headers
  /** The unpacked body of a success; empty otherwise. */
  bytes: Uint8Array
}

export type GetFailure =
  | FetchFailure
  | Timeout
  | { outcome: "too_large" }
  /** The body came in an encoding that was not asked for. */
  | { outcome: "encoding"; encoding: string }

/** One request to one judged address, bounded in time and size. Rejects only when `signal` is aborted. */
export async function get(
  url: URL,
  target: Target,
  request: GetRequest,
  options: GetOptions,
  signal: AbortSignal,
): Promise<Answer | GetFailure> {
  using limit = startProgressLimit(options.limits)
  try {
    const response = await send(url, target, request, options, AbortSignal.any([signal, limit.signal]))
    limit.progress()
    const { status, headers } = response
    if (!response.ok || request.method === "HEAD") {
      await response.body?.cancel()
      return { outcome: "answer", status, headers, bytes: new Uint8Array() }
    }
    const raw = await readAtMost(response, request.maxBytes, limit.progress)
    return raw ? await unpack(status, headers, raw, request.maxBytes) : { outcome: "too_large" }
  } catch (error) {
    signal.throwIfAborted()
    return limit.timeout() ?? fetchFailure(error)
  }
}

/** The port of the scheme where the address gives none. */
export function portOf({ port, protocol }: URL): number {
  return Number(port) || (protocol === "https:" ? 443 : 80)
}

function send(
  url: URL,
  target: Target,
  { method, accept }: GetRequest,
  { userAgent, ca }: GetOptions,
  signal: AbortSignal,
): Promise<Response> {
  const { protocol, host, hostname, pathname, search } = url
  // Gzip is the one encoding whose end can be told from a broken connection.
  const headers = { host, "user-agent": userAgent, accept, "accept-encoding": "gzip" }
  const isName = !hostname.startsWith("[") && isIP(hostname) === 0
  const tls = pinnedTls(isName ? hostname : undefined, ca)
  const scheme = protocol === "https:" ? "https:" : "http:"
  return pinnedFetch(scheme, target, pathname + search, { method, headers, tls, signal })
}

/** Undefined when there are more bytes. Rejects when the body is cut off. */
async function readAtMost(
  { headers, body }: Response,
  maxBytes: number,
  onProgress: () => void,
): Promise<Uint8Array | undefined> {
  if (!body) return new Uint8Array()
  if (Number(headers.get("content-length")) > maxBytes) {
    await body.cancel()
    return undefined
  }
  const { bytes, error } = await readStart(body, maxBytes + 1, { onProgress })
  if (bytes.length > maxBytes) return undefined
  if (error !== undefined) throw error
  return bytes
}

async function unpack(
  status: number,
  headers: Headers,
  raw: Uint8Array,
  maxBytes: number,
): Promise<Answer | GetFailure> {
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() || "identity"
  if (encoding === "identity") return { outcome: "answer", status, headers, bytes: raw }
  if (encoding !== "gzip" && encoding !== "x-gzip") return { outcome: "encoding", encoding }
  const bytes = await gunzipAtMost(raw, maxBytes)
  return bytes ? { outcome: "answer", status, headers, bytes } : { outcome: "too_large" }
}
