import { minuteMs, secondMs } from "../../base/clock.ts"
import type { Explanation } from "../../base/errors.ts"
import { tlsTrouble } from "../../outbound/failure.ts"
import { fetchWay, type OutboundProxy } from "../../outbound/proxy.ts"
import { ModelFailure } from "./failure.ts"

/** Makes the HTTP request of one call to a model server, and remembers what went wrong. */
export interface ModelHttp {
  /**
   * Like the global `fetch`, but follows no redirect, rejects every status that is not 2xx, and errors the
   * body after `maxBytes`. Rejects with ModelFailure.
   */
  fetch: typeof fetch
  /**
   * The reason why a call failed. A library may wrap or hide the error of `fetch`, so the first failure that
   * was seen here counts. `garbled` without one: the error's own message may quote the reply.
   */
  failureOf(error: unknown): ModelFailure
}

/** All that the calls have in common. */
export interface ModelNetwork {
  authorities: { pem(): string }
  /** The way to models elsewhere. Undefined: direct, or as the variables of other programs say (HTTPS_PROXY). */
  proxy: OutboundProxy | undefined
  /** For the log, which is in English. */
  inWords(told: Explanation): string
}

/** Read of the body of an error. */
const maxErrorBytes = 16_384
/** Caps `Retry-After`: neither a visitor nor an indexing run that holds its project waits until tomorrow. */
const maxRetryAfterMs = 5 * minuteMs

export function openModelHttp(maxBytes: number, { authorities, proxy, inWords }: ModelNetwork): ModelHttp {
  let firstFailure: ModelFailure | undefined

  return {
    fetch: Object.assign(boundedFetch, fetch),
    failureOf: (error) =>
      error instanceof ModelFailure ? error : (firstFailure ?? new ModelFailure("garbled")),
  }

  async function boundedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    // With NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment, `fetch` would accept any certificate.
    const tls = { rejectUnauthorized: true, ca: authorities.pem() }
    const url = input instanceof Request ? input.url : String(input)
    let response: Response
    try {
      response = await fetch(input, { ...init, redirect: "manual", tls, ...fetchWay(proxy, url) })
    } catch (error) {
      throw remembered(connectionFailure(error))
    }
    if (!response.ok) throw remembered(await statusFailure(response))
    return new Response(response.body && boundedBody(response.body), response)
  }

  function connectionFailure(error: unknown): ModelFailure {
    const code = errorCode(error)
    const trouble = code !== undefined && tlsTrouble(code)
    if (trouble) return new ModelFailure("tls", { advice: inWords(trouble) })
    return new ModelFailure("unreachable", { detail: code })
  }

  function boundedBody(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader()
    let bytes = 0
    return new ReadableStream({
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          bytes += value?.length ?? 0
          if (bytes > maxBytes) throw new ModelFailure("too_large", { detail: `over ${maxBytes} bytes` })
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          const failure = error instanceof ModelFailure ? error : new ModelFailure("cut_off")
          void reader.cancel().catch(() => {})
          controller.error(remembered(failure))
        }
      },
      cancel: (reason) => reader.cancel(reason),
    })
  }

  function remembered(failure: ModelFailure): ModelFailure {
    firstFailure ??= failure
    return failure
  }
}

/** Maps an HTTP status as Google, OpenAI, Mistral and compatible servers use it. */
async function statusFailure(response: Response): Promise<ModelFailure> {
  const { status, headers } = response
  const body = await beginningOfBody(response)
  const detail = [status, ...errorNames(body)].join(" ")
  if (status === 401 || status === 403 || /API_KEY_INVALID|invalid_api_key/.test(body))
    return new ModelFailure("key", { detail })
  if (status === 404 || /model_not_found|invalid_model/.test(body))
    return new ModelFailure("model", { detail })
  if (status === 429) return new ModelFailure("limited", { detail, retryAfterMs: retryAfter(headers, body) })
  if (status >= 500) return new ModelFailure("server", { detail, retryAfterMs: retryAfter(headers, body) })
  return new ModelFailure(status < 400 ? "address" : "refused", { detail })
}

async function beginningOfBody({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ""
  try {
    for await (const bytes of body ?? []) {
      text += decoder.decode(bytes, { stream: true })
      if (text.length >= maxErrorBytes) break
    }
  } catch {
    // The part that did arrive is enough.
  }
  return text.slice(0, maxErrorBytes)
}

/**
 * Names of the error in its JSON body, such as `RESOURCE_EXHAUSTED` or `insufficient_quota`. Unlike the
 * error's message, they never quote a visitor's question.
 */
function errorNames(body: string): string[] {
  const named = body.matchAll(/"(?:status|reason|code|type)"\s*:\s*"([A-Za-z_]+)"/g)
  const names = Array.from(named, ([, name]) => name as string).filter((name) => name.length <= 40)
  return [...new Set(names)].slice(0, 3)
}

function retryAfter(headers: Headers, body: string): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? /"retryDelay"\s*:\s*"([\d.]+)s"/.exec(body)?.[1])
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * secondMs, maxRetryAfterMs) : undefined
}

function errorCode(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === "string" && /^\w{1,60}$/.test(code) ? code : undefined
}
