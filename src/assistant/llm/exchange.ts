import { minuteMs, secondMs } from "../../base/clock.ts"
import { ModelFailure } from "./failure.ts"

/** One HTTP exchange with a server of models. */
export interface Exchange {
  /**
   * As the global one, but it follows no redirect, rejects a status that is no success, and reads no more
   * than its limit.
   */
  fetch: typeof fetch
  /** What went wrong, which a library in between may have wrapped or hidden. */
  failure: ModelFailure | undefined
}

/** What is read of the body of an error. */
const maxErrorBytes = 16_384
/** A server may say tomorrow: neither a visitor nor an indexing that holds its project waits for that. */
const longestPauseMs = 5 * minuteMs

/** NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment would let any certificate pass. */
const tls = { rejectUnauthorized: true }

export function openExchange(maxBytes: number): Exchange {
  const exchange: Exchange = { fetch: Object.assign(limitedFetch, fetch), failure: undefined }
  return exchange

  async function limitedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    let response: Response
    try {
      response = await fetch(input, { ...init, redirect: "manual", tls })
    } catch (error) {
      throw failed(new ModelFailure("unreachable", { detail: codeOf(error) }))
    }
    if (!response.ok) throw failed(await failureOfStatus(response))
    return new Response(response.body && limited(response.body), response)
  }

  function limited(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
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
          controller.error(failed(failure))
        }
      },
      cancel: (reason) => reader.cancel(reason),
    })
  }

  function failed(failure: ModelFailure): ModelFailure {
    exchange.failure ??= failure
    return failure
  }
}

/** What a status means at Google, OpenAI, Mistral and those who speak as they do. */
async function failureOfStatus(response: Response): Promise<ModelFailure> {
  const { status, headers } = response
  const body = await beginningOf(response)
  const detail = [status, ...wordsOf(body)].join(" ")
  if (status === 401 || status === 403 || /API_KEY_INVALID|invalid_api_key/.test(body))
    return new ModelFailure("key", { detail })
  if (status === 404 || /model_not_found|invalid_model/.test(body))
    return new ModelFailure("model", { detail })
  if (status === 429) return new ModelFailure("limited", { detail, retryAfterMs: pauseOf(headers, body) })
  if (status >= 500) return new ModelFailure("server", { detail, retryAfterMs: pauseOf(headers, body) })
  return new ModelFailure(status < 400 ? "address" : "refused", { detail })
}

async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ""
  try {
    for await (const bytes of body ?? []) {
      text += decoder.decode(bytes, { stream: true })
      if (text.length >= maxErrorBytes) break
    }
  } catch {
    // What came says enough.
  }
  return text.slice(0, maxErrorBytes)
}

/**
 * The names that an error body gives its error, which quote nobody: `RESOURCE_EXHAUSTED`,
 * `insufficient_quota`.
 */
function wordsOf(body: string): string[] {
  const named = body.matchAll(/"(?:status|reason|code|type)"\s*:\s*"([A-Za-z_]+)"/g)
  const names = Array.from(named, ([, name]) => name as string).filter((name) => name.length <= 40)
  return [...new Set(names)].slice(0, 3)
}

function pauseOf(headers: Headers, body: string): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? /"retryDelay"\s*:\s*"([\d.]+)s"/.exec(body)?.[1])
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * secondMs, longestPauseMs) : undefined
}

function codeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === "string" && /^\w{1,60}$/.test(code) ? code : undefined
}
