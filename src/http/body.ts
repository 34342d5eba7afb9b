import { minuteMs } from "../clock.ts"
import { Refusal } from "../errors.ts"
import { sentences } from "./sentences.ts"

/** A slow line brings a body in this time; a client that sends a byte now and then would hold its connection for ever. */
const bodyMs = minuteMs

/**
 * The bytes of a request's body, or undefined when there are more than `maxBytes`: no more than that is held. Rejects when the
 * body is broken off, or not whole after `withinMs`.
 */
export async function readBody(
  request: Request,
  maxBytes: number,
  withinMs = bodyMs,
): Promise<Uint8Array | undefined> {
  const reader = request.body?.getReader()
  if (!reader) return new Uint8Array()
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error("the body took too long")), withinMs)
  const parts: Uint8Array[] = []
  let length = 0
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late])
      if (done) return Buffer.concat(parts)
      length += value.length
      if (length > maxBytes) return undefined
      parts.push(value)
    }
  } finally {
    clearTimeout(timer)
    reader.cancel().catch(() => {})
  }
}

/** The JSON object a request carries; `{}` for no body at all. Throws Refusal `invalid_request`. */
export async function readObject(request: Request, maxBytes: number): Promise<Record<string, unknown>> {
  const body = await readBody(request, maxBytes).catch(() => undefined)
  if (!body) throw new Refusal("invalid_request", sentences.invalidRequest)
  if (body.length === 0) return {}
  const value = parsed(body)
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Refusal("invalid_request", sentences.invalidRequest)
  return value as Record<string, unknown>
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}
