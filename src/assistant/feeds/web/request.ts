import { promisify } from "node:util"
import { gunzip } from "node:zlib"
import { secondMs } from "../../../base/clock.ts"
import { type Detail, detail, type Told } from "../../../base/errors.ts"
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
  | { reply: "broken"; detail: Told }
  /** Not sent: the host has an address we may not visit. */
  | { reply: "refused"; detail: Told }

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
    return { reply: "broken", detail: detail("reading.otherEncoding", { encoding }) }
  const bytes = await unpacked(raw, maxBytes)
  return bytes ? { reply: "answer", status, headers, bytes } : { reply: "too_large" }
}

/** Ends a request that takes too long as a whole, or that says nothing for too long. */
function watchFor({ limits: { wholeTimeoutMs, stallTimeoutMs } }: Network) {
  const controller = new AbortController()
  let why: Told = ""
  const stop = (reason: Detail) => () => {
    why = reason
    controller.abort()
  }
  const stalled = stop(detail("reading.stalled", { seconds: stallTimeoutMs / secondMs }))
  const unfinished = detail("reading.unfinished", { seconds: wholeTimeoutMs / secondMs })
  const whole = setTimeout(stop(unfinished), wholeTimeoutMs)
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

/** An error that says more than its own words to the owner of a site is a detail. */
function reasonOf(error: unknown): Told {
  const { code, message } = error as NodeJS.ErrnoException
  if (!code) return message
  if (code === "ConnectionRefused" || code === "ECONNREFUSED")
    return detail("reading.connectionRefused", { error: code })
  if (code === "ECONNRESET" || code === "ConnectionClosed")
    return detail("reading.connectionClosed", { error: code })
  return /^(?:CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS)/.test(code)
    ? detail("reading.badCertificate", { error: code })
    : `${code}`
}
