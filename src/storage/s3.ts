import { type FileHandle, open } from "node:fs/promises"
import { S3Client } from "bun"
import { withTimeout } from "../base/async.ts"
import { minuteMs, secondMs } from "../base/clock.ts"
import type { S3Location, Secrets } from "../config/config.ts"
import { type ObjectLog, type ObjectStore, StorageError } from "./object-store.ts"

export interface S3Limits {
  /** A request in which nothing moves for this long ends. */
  stallMs: number
  /** Longest duration of a request, however steadily it trickles. */
  requestMs: number
}

const usualLimits: S3Limits = { stallMs: 10 * secondMs, requestMs: 10 * minuteMs }
/** Seconds for which a signed address is good: until the request has begun. */
const signedForSeconds = 900
/** An answer to an error is some hundred bytes of XML. */
const maxErrorBytes = 4096
const chunkBytes = 256 * 1024
/** Keys of one list; S3 gives no more. */
const keysAtOnce = 1000

/**
 * Requests go through `fetch` with addresses that Bun's client has signed: its own requests can neither be called
 * off nor given a time limit, and a store that falls silent would hold them for minutes.
 */
export function openS3(
  { bucket, prefix, region, endpoint }: S3Location,
  credentials: NonNullable<Secrets["storage"]>,
  limits: S3Limits = usualLimits,
): ObjectStore & ObjectLog {
  /** Made for each request: the credentials may have changed. */
  function client(): S3Client {
    const { accessKeyId, secretAccessKey, sessionToken } = credentials
    return new S3Client({
      bucket,
      region,
      accessKeyId,
      secretAccessKey,
      // Said outright: Bun would look for one in variables of its own.
      endpoint: endpoint ?? `https://s3.${region}.amazonaws.com`,
      ...(sessionToken && { sessionToken }),
    })
  }

  const placed = (key: string) => (prefix ? `${prefix}/${key}` : key)

  async function request(
    method: "GET" | "PUT" | "DELETE",
    key: string,
    init: RequestInit,
  ): Promise<Response> {
    const url = client().presign(placed(key), { method, expiresIn: signedForSeconds })
    // A redirect leads to the bucket's own region, for which the signature is not good.
    return fetch(url, { ...init, method, redirect: "manual" })
  }

  /** Bun sends what a generator yields, as fast as the store takes it; the types know of web streams alone. */
  async function send(
    key: string,
    chunks: AsyncIterable<Uint8Array>,
    size: number,
    watch: Watch,
  ): Promise<void> {
    // Without the length the body would be sent in chunks, which S3 refuses.
    const headers = { "content-length": String(size) }
    const body = moving(chunks, watch) as unknown as ReadableStream
    await named(watch, async () =>
      requireOk(await request("PUT", key, { body, headers, signal: watch.signal })),
    )
  }

  return {
    async put(key, file, signal) {
      using watch = openWatch(limits, signal)
      await using handle = await open(file)
      await send(key, fileChunks(handle), (await handle.stat()).size, watch)
    },
    async add(key, content, signal) {
      using watch = openWatch(limits, signal)
      const bytes = Buffer.from(content)
      await send(key, slices(bytes), bytes.length, watch)
    },
    async *keys(wanted, after, signal) {
      let last: string | undefined = placed(after)
      while (last !== undefined) {
        const search = { prefix: placed(wanted), startAfter: last, maxKeys: keysAtOnce }
        const silent = () => new StorageError(`no answer for ${limits.stallMs / secondMs} s`)
        const page: Bun.S3ListObjectsResponse = await named({ signal }, () =>
          withTimeout(client().list(search), limits.stallMs, silent, signal),
        )
        const keys = (page.contents ?? []).map(({ key }) => key)
        for (const key of keys) yield key.slice(placed("").length)
        last = page.isTruncated ? keys.at(-1) : undefined
      }
    },
    async get(key, signal) {
      const watch = openWatch(limits, signal)
      try {
        const response = await named(watch, () => request("GET", key, { signal: watch.signal }))
        const problem = response.ok ? undefined : await storeProblem(response)
        // A 404 without this code comes from a proxy, or means that the bucket does not exist.
        if (problem !== undefined && problem !== "NoSuchKey") throw refused(response, problem)
        if (problem === undefined) return replyContent(response, watch)
      } catch (error) {
        watch[Symbol.dispose]()
        throw error
      }
      watch[Symbol.dispose]()
      return undefined
    },
    async remove(key, signal) {
      using watch = openWatch(limits, signal)
      await named(watch, async () => requireOk(await request("DELETE", key, { signal: watch.signal })))
    },
  }
}

/** Ends a request in which nothing moves. */
interface Watch extends Disposable {
  signal: AbortSignal
  moved(): void
}

function openWatch({ stallMs, requestMs }: S3Limits, callersSignal: AbortSignal): Watch {
  const stop = new AbortController()
  const callOff = () => stop.abort(callersSignal.reason)
  callersSignal.addEventListener("abort", callOff)
  if (callersSignal.aborted) callOff()
  const abort = (ms: number) =>
    setTimeout(() => stop.abort(new StorageError(`nothing moved for ${ms / secondMs} s`)), ms)
  const longest = setTimeout(
    () => stop.abort(new StorageError(`not done after ${requestMs / secondMs} s`)),
    requestMs,
  )
  let stalled = abort(stallMs)
  return {
    signal: stop.signal,
    moved() {
      clearTimeout(stalled)
      stalled = abort(stallMs)
    },
    [Symbol.dispose]() {
      clearTimeout(stalled)
      clearTimeout(longest)
      callersSignal.removeEventListener("abort", callOff)
    },
  }
}

async function* fileChunks(handle: FileHandle): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(chunkBytes))
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
  }
}

async function* slices(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
}

async function* moving(chunks: AsyncIterable<Uint8Array>, watch: Watch): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    if (watch.signal.aborted) return
    watch.moved()
    yield chunk
  }
}

async function* replyContent({ body }: Response, watch: Watch): AsyncGenerator<Uint8Array> {
  using _watch = watch
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  try {
    for (;;) {
      const { done, value } = await named(watch, () => reader.read())
      if (done) return
      watch.moved()
      yield value
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

/**
 * Gives an error of `fetch` one line of its own, without the cause: that one names the signed address. After an
 * abort the reason is thrown: the caller's, or the watch's.
 */
async function named<Result>({ signal }: Pick<Watch, "signal">, work: () => Promise<Result>) {
  try {
    return await work()
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (error instanceof StorageError) throw error
    const { code, name } = error as NodeJS.ErrnoException
    if (name === "S3Error") throw new StorageError(`answered ${code}`)
    throw new StorageError(`no connection (${code ?? name})`)
  }
}

async function requireOk(response: Response): Promise<void> {
  if (!response.ok) throw refused(response, await storeProblem(response))
  await response.body?.cancel()
}

function refused({ status }: Response, problem: string): StorageError {
  return new StorageError(`answered ${[status, problem].filter(Boolean).join(" ")}`)
}

/** The code of S3 for an error, such as `NoSuchKey` or `AccessDenied`; empty when the answer holds none. */
async function storeProblem({ body }: Response): Promise<string> {
  let text = ""
  const decoder = new TextDecoder()
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > maxErrorBytes) break
  }
  return /<Code>(\w{1,64})<\/Code>/.exec(text)?.[1] ?? ""
}
