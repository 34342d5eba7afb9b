import { gunzipAtMost } from "./body.ts"
import type { Client } from "./client.ts"
import { type Aborted, errorCode, type NotSent, type SendFailure, sendFailure } from "./failure.ts"
import { type Field, headerValue, type Reply } from "./reply.ts"
import type { ResolvedTargets } from "./resolve.ts"
import { type ProgressLimits, startProgressLimit, type Timeout } from "./time-limit.ts"

export interface GetRequest {
  method: "GET" | "HEAD" | "POST"
  accept: string
  /** Largest body in bytes, as sent and as unpacked. */
  maxBytes: number
  body?: Uint8Array
  /** Further headers, for this address alone. */
  ownHeaders?: Readonly<Record<string, string>> | undefined
}

export interface GetOptions {
  client: Client
  userAgent: string
  /** PEM of the only authorities to trust, instead of those built in. */
  ca?: string | undefined
  limits: ProgressLimits
}

export interface Answer {
  outcome: "answer"
  status: number
  headers: Headers
  bytes: Uint8Array
}

export type GetFailure =
  | SendFailure
  | Aborted
  | NotSent
  | Timeout
  | { outcome: "too_large" }
  /** The body came in an encoding that was not asked for. */
  | { outcome: "encoding"; encoding: string }

/** One request to one of the judged addresses, bounded in time and size. Rejects only when `signal` is aborted. */
export async function get(
  url: URL,
  found: ResolvedTargets,
  { method, accept, maxBytes, body, ownHeaders }: GetRequest,
  { client, userAgent, ca, limits }: GetOptions,
  signal: AbortSignal,
): Promise<Answer | GetFailure> {
  using limit = startProgressLimit(limits)
  const { protocol, host, pathname, search } = url
  const scheme = protocol === "https:" ? "https:" : "http:"
  const reply = await client.request(
    found,
    { scheme, host, path: pathname + search, ca },
    {
      method,
      ...(body && { body }),
      // Gzip is the one encoding whose end can be told from a broken connection.
      newHeaders: () => ({ ...ownHeaders, "user-agent": userAgent, accept, "accept-encoding": "gzip" }),
      wantedBytes: (status, length = 0) => (isSuccess(status) && length <= maxBytes ? maxBytes : 0),
      signal: AbortSignal.any([signal, limit.signal]),
      onProgress: limit.progress,
    },
  )
  signal.throwIfAborted()
  if ("outcome" in reply) return limit.timeout() ?? reply
  const { status } = reply
  if (!isSuccess(status))
    return { outcome: "answer", status, headers: webHeaders(reply), bytes: new Uint8Array() }
  if (reply.body === "long") return { outcome: "too_large" }
  if (reply.body === "broken") return limit.timeout() ?? sendFailure("ECONNRESET")
  return unpack(reply, maxBytes)
}

/** The port of the scheme where the address gives none. */
export function portNumber({ port, protocol }: URL): number {
  return Number(port) || (protocol === "https:" ? 443 : 80)
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

async function unpack(reply: Reply, maxBytes: number): Promise<Answer | GetFailure> {
  const { status, fields } = reply
  const answer = (bytes: Uint8Array) =>
    ({ outcome: "answer", status, headers: webHeaders(reply), bytes }) as const
  const encoding = headerValue(fields, "content-encoding")?.toLowerCase() || "identity"
  if (encoding === "identity") return answer(reply.bytes)
  if (encoding !== "gzip" && encoding !== "x-gzip") return { outcome: "encoding", encoding }
  try {
    const bytes = await gunzipAtMost(reply.bytes, maxBytes)
    return bytes ? answer(bytes) : { outcome: "too_large" }
  } catch (error) {
    return { outcome: "protocol", cause: undefined, code: errorCode(error) }
  }
}

/** Without the fields that `Headers` cannot hold. */
function webHeaders({ fields }: { fields: readonly Field[] }): Headers {
  const headers = new Headers()
  for (const [name, value] of fields) {
    try {
      headers.append(name, value)
    } catch {
      // A value with a control character says nothing to us.
    }
  }
  return headers
}
