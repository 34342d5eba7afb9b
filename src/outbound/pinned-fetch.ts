import type { Target } from "./resolve.ts"

export interface PinnedRequest {
  method: "GET" | "HEAD" | "POST"
  /** With `host`: the name, and the port unless it is the scheme's. */
  headers: Record<string, string>
  body?: Uint8Array
  tls: PinnedTls
  /** Whether a kept connection may be used, and this one kept. */
  keepalive?: boolean
  signal: AbortSignal
}

export interface PinnedTls {
  rejectUnauthorized: true
  /** The name that the certificate is checked against; without it, the address. */
  serverName?: string
  /** PEM of the only authorities to trust, instead of the system's. */
  ca?: string
}

/** Why a request had no answer. `cause`: the code that Bun or the system gives. */
export interface FetchFailure {
  outcome: "connection" | "tls" | "protocol"
  cause: string
}

/**
 * The only place that sends requests to somebody else's address. It connects to `target`, which `Resolve`
 * judged, and asks no resolver: the name goes into `host` and the check of the certificate. It follows no
 * redirect, uses no proxy of the environment, and decompresses nothing. Rejects as fetch does.
 */
export function pinnedFetch(
  scheme: "http:" | "https:",
  { ip, port }: Target,
  path: string,
  { method, headers, body, tls, keepalive = true, signal }: PinnedRequest,
): Promise<Response> {
  return fetch(`${scheme}//${ip.includes(":") ? `[${ip}]` : ip}:${port}${path}`, {
    method,
    headers,
    body,
    tls,
    keepalive,
    signal,
    redirect: "manual",
    // Without `false`, fetch obeys HTTPS_PROXY and the like.
    proxy: false,
    decompress: false,
  } as BunFetchRequestInit)
}

/** Certificates are checked even where NODE_TLS_REJECT_UNAUTHORIZED=0 would let any pass. */
export function pinnedTls(serverName: string | undefined, ca: string | undefined): PinnedTls {
  return {
    rejectUnauthorized: true,
    ...(serverName !== undefined && { serverName }),
    ...(ca !== undefined && { ca }),
  }
}

export function fetchFailure(error: unknown): FetchFailure {
  const { code, message } = error as { code?: unknown; message: string }
  return { outcome: outcomeOf(String(code)), cause: code ? String(code) : message }
}

function outcomeOf(code: string): FetchFailure["outcome"] {
  if (/CERT|TLS|SSL|EPROTO|ISSUER|SIGNATURE|CRL/.test(code)) return "tls"
  // Codes of the system are all capitals. Bun's own codes for a malformed answer are not; zlib's begin with Z.
  return /[a-z]|^Z_/.test(code) ? "protocol" : "connection"
}
