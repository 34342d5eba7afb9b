import { detail, Refusal } from "../base/errors.ts"
import { isObject } from "../base/names.ts"
import { extendBodyTimeout, resetTimeout } from "./extend-timeout.ts"
import type { Room } from "./files/room.ts"

/**
 * Reads the body of a request. Resolves to undefined when it exceeds `maxBytes`; never holds more than that.
 * A slow connection gets through; one that trickles is closed, and the promise rejects. It also rejects with the
 * Refusal of a room that is full.
 */
export async function readBody(
  request: Request,
  maxBytes: number,
  room?: Room,
): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = []
  const startedMs = performance.now()
  let length = 0
  const reader = request.body?.getReader()
  const cancel = () => void reader?.cancel().catch(() => {})
  room?.signal.addEventListener("abort", cancel)
  try {
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      length += part.value.length
      if (length > maxBytes) return undefined
      room?.take(part.value.length)
      parts.push(part.value)
      extendBodyTimeout(request, length, performance.now() - startedMs)
    }
    room?.signal.throwIfAborted()
    room?.keep()
  } finally {
    room?.signal.removeEventListener("abort", cancel)
    cancel()
    resetTimeout(request)
  }
  return Buffer.concat(parts)
}

/** Reads a JSON object from the body; `{}` when there is no body. Throws Refusal `invalid_request`. */
export async function readObject(request: Request, maxBytes: number): Promise<Record<string, unknown>> {
  const body = await readBody(request, maxBytes).catch(() => {
    throw new Refusal("invalid_request", detail("requests.invalidRequest"))
  })
  if (!body) throw new Refusal("invalid_request", detail("requests.tooLarge", { maxBytes }))
  if (body.length === 0) return {}
  const value = jsonIn(body)
  if (!isObject(value)) {
    // Programs that send JSON without a word about it, as curl does, name this type too.
    const [type] = formType.exec(request.headers.get("content-type") ?? "") ?? []
    if (value === undefined && type)
      throw new Refusal("invalid_request", detail("requests.notJson", { type }))
    throw new Refusal("invalid_request", detail("requests.notAnObject"))
  }
  return value
}

const formType = /^(application\/x-www-form-urlencoded|multipart\/form-data)/i

/** The value of a body of JSON in UTF-8; undefined when it is anything else. */
export function jsonIn(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}
