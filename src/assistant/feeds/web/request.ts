import { promisify } from "node:util"
import { gunzip } from "node:zlib"
import type { Network } from "./network.ts"

const unzip = promisify(gunzip)

export interface Wanted {
  method: "GET" | "HEAD"
  /** The `Accept` header. */
  accept: string
  /** Of the body, as sent and as unpacked. */
  maxBytes: number
}

/** What one request gave. A body is read of successes only. */
export type Reply =
  | { reply: "answer"; status: number; headers: Headers; bytes: Uint8Array }
  | { reply: "too_large" }
  /** No answer, or none that could be read. */
  | { reply: "broken"; detail: string }
  /** Not sent: the host has an address we may not visit. */
  | { reply: "refused"; detail: string }

/**
 * One request to one judged address: the name goes into `Host`, the TLS name and the check of the
 * certificate, never to a resolver again. Follows no redirect, obeys no proxy of the environment. Rejects
 * only when `signal` is aborted.
 */
export async function request(
  url: URL,
  address: string,
  wanted: Wanted,
  network: Network,
  signal: AbortSignal,
): Promise<Reply> {
  using watch = watchFor(network)
  try {
    const response = await fetch(pinned(url, address), {
      method: wanted.method,
      headers: {
        Host: url.host,
        "User-Agent": network.userAgent,
        Accept: wanted.accept,
        // The one encoding whose end can be told from a broken connection.
        "Accept-Encoding": "gzip",
      },
      redirect: "manual",
      decompress: false,
      proxy: false,
      tls: {
        // NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment would let any certificate pass.
        rejectUnauthorized: true,
        ...(isName(url.hostname) && { serverName: url.hostname }),
        ...(network.ca && { ca: network.ca }),
      },
      signal: AbortSignal.any([signal, watch.signal]),
    })
    watch.progress()
    const { status, headers } = response
    if (!response.ok || wanted.method === "HEAD") {
      await response.body?.cancel()
      return { reply: "answer", status, headers, bytes: new Uint8Array() }
    }
    const raw = await readAtMost(response, wanted.maxBytes, watch.progress)
    if (raw === undefined) return { reply: "too_large" }
    return await decoded(status, headers, raw, wanted.maxBytes)
  } catch (error) {
    signal.throwIfAborted()
    return { reply: "broken", detail: watch.signal.aborted ? watch.reason() : reasonOf(error) }
  }
}

/** Unpacks gzip of at most that many bytes; undefined when there are more. Rejects what is no whole gzip. */
export async function unpacked(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array | undefined> {
  try {
    return await unzip(bytes, { maxOutputLength: maxBytes })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") return undefined
    throw error
  }
}

function pinned(url: URL, address: string): string {
  const host = address.includes(":") ? `[${address}]` : address
  return `${url.protocol}//${host}${url.port && `:${url.port}`}${url.pathname}${url.search}`
}

function isName(hostname: string): boolean {
  return !hostname.startsWith("[") && !/^[\d.]+$/.test(hostname)
}

async function readAtMost(response: Response, maxBytes: number, progress: () => void) {
  if (Number(response.headers.get("content-length")) > maxBytes) {
    await response.body?.cancel()
    return undefined
  }
  const chunks: Uint8Array[] = []
  let length = 0
  // Leaving the loop cancels the body.
  for await (const chunk of response.body ?? []) {
    progress()
    length += chunk.length
    if (length > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function decoded(status: number, headers: Headers, raw: Uint8Array, maxBytes: number): Promise<Reply> {
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() || "identity"
  if (encoding === "identity") return { reply: "answer", status, headers, bytes: raw }
  if (encoding !== "gzip" && encoding !== "x-gzip")
    return { reply: "broken", detail: `sent in the encoding ${encoding}, which was not asked for` }
  const bytes = await unpacked(raw, maxBytes)
  return bytes ? { reply: "answer", status, headers, bytes } : { reply: "too_large" }
}

/** Ends a request that takes too long as a whole, or that says nothing for too long. */
function watchFor({ limits: { wholeTimeoutMs, stallTimeoutMs } }: Network) {
  const controller = new AbortController()
  let why = ""
  const stop = (reason: string) => () => {
    why = reason
    controller.abort()
  }
  const stalled = stop(`nothing received for ${stallTimeoutMs / 1000} seconds`)
  const whole = setTimeout(stop(`not complete after ${wholeTimeoutMs / 1000} seconds`), wholeTimeoutMs)
  let stall = setTimeout(stalled, stallTimeoutMs)
  return {
    signal: controller.signal,
    reason: () => why,
    progress() {
      clearTimeout(stall)
      stall = setTimeout(stalled, stallTimeoutMs)
    },
    [Symbol.dispose]() {
      clearTimeout(whole)
      clearTimeout(stall)
    },
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return code ? `${code}` : message
}
