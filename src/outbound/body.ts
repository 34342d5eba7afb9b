import { promisify } from "node:util"
import { gunzip } from "node:zlib"

const unzip = promisify(gunzip)

export interface BodyStart {
  bytes: Buffer
  /** The error that cut the body off. Undefined: the body ended, or its rest was cancelled. */
  error: unknown
}

/** Cancels the rest of the body, after `withinMs` at the latest. Never rejects. */
export async function readStart(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  { withinMs, onProgress }: { withinMs?: number; onProgress?: () => void },
): Promise<BodyStart> {
  const reader = body.getReader()
  const cancel = () => reader.cancel().catch(() => {})
  const timer = withinMs === undefined ? undefined : setTimeout(cancel, withinMs)
  const pieces: Uint8Array[] = []
  let length = 0
  let error: unknown
  try {
    while (length < maxBytes) {
      const { done, value } = await reader.read()
      if (done) break
      onProgress?.()
      const piece = value.subarray(0, maxBytes - length)
      pieces.push(piece)
      length += piece.length
    }
  } catch (thrown) {
    error = thrown
  } finally {
    clearTimeout(timer)
    await cancel()
  }
  return { bytes: Buffer.concat(pieces), error }
}

/** Unpacks gzip to at most `maxBytes`; undefined when there are more. Rejects bytes that are no whole gzip. */
export async function gunzipAtMost(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array | undefined> {
  try {
    return await unzip(bytes, { maxOutputLength: maxBytes })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") return undefined
    throw error
  }
}
