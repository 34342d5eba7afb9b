import type { Certified } from "../authority.ts"
import { type Behaviour, honest } from "./behaviour.ts"
import { geminiRoutes } from "./gemini.ts"
import { openaiRoutes } from "./openai.ts"

export type ProviderName = "gemini" | "openai"
export const providers: ProviderName[] = ["gemini", "openai"]

/** A server of models on a loopback port, which speaks one provider's protocol. */
export interface ModelServer extends AsyncDisposable {
  url: string
  /** What Guichet is started with to use it. */
  environment: Record<string, string>
  /** May be changed at any time. */
  behaviour: Behaviour
  requests: Request[]
  /** Texts that were embedded. */
  embedded: string[]
  /** Requests whose client went away before their reply had ended. */
  left: number
  /** At one time, at most. */
  mostInFlight: number
}

export interface Request {
  path: string
  // biome-ignore lint/suspicious/noExplicitAny: what came over HTTP has whatever shape the test asserts
  body: any
}

export const key = "test-key-4f1c"
export const models = { write: "test-writer", embed: "test-embedder" }

export function startModelServer(
  provider: ProviderName,
  behaviour: Behaviour = honest,
  tls?: Certified,
): ModelServer {
  let inFlight = 0
  const routes = { gemini: geminiRoutes, openai: openaiRoutes }[provider]
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    ...(tls && { tls }),
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const body = await request.json()
      started.requests.push({ path: pathname + search, body })
      started.mostInFlight = Math.max(started.mostInFlight, ++inFlight)
      request.signal.addEventListener("abort", () => {
        inFlight--
        started.left++
      })
      const response = await routes(request, pathname + search, body, started)
      if (!request.signal.aborted) inFlight--
      return response
    },
  })
  const url = `http${tls ? "s" : ""}://127.0.0.1:${server.port}`
  const started: ModelServer = {
    url,
    environment: environmentOf(provider, url),
    behaviour,
    requests: [],
    embedded: [],
    left: 0,
    mostInFlight: 0,
    [Symbol.asyncDispose]: async () => server.stop(true),
  }
  return started
}

function environmentOf(provider: ProviderName, url: string): Record<string, string> {
  if (provider === "gemini")
    return {
      GUICHET_EMBEDDING: "provider",
      GUICHET_MODEL: "gemini",
      GEMINI_API_KEY: key,
      GUICHET_GEMINI_MODEL: models.write,
      GUICHET_GEMINI_EMBEDDING_MODEL: models.embed,
      GUICHET_GEMINI_BASE_URL: url,
    }
  return {
    GUICHET_EMBEDDING: "provider",
    GUICHET_MODEL: "openai",
    GUICHET_OPENAI_API_KEY: key,
    GUICHET_OPENAI_MODEL: models.write,
    GUICHET_OPENAI_EMBEDDING_MODEL: models.embed,
    GUICHET_OPENAI_BASE_URL: `${url}/v1`,
  }
}
