import { type Exchange, openExchange } from "./exchange.ts"
import { ModelFailure } from "./failure.ts"
import { type JsonSchema, maxEmbeddingBytes, maxWrittenBytes, type Provider } from "./provider.ts"
import { dataOf } from "./server-events.ts"

interface OpenAiSettings {
  /** undefined: the server asks for none. */
  key: string | undefined
  /** With its version: `https://api.mistral.ai/v1`. */
  baseUrl: string
  model: string
  /** undefined: words alone find passages. */
  embeddingModel: string | undefined
}

/**
 * Any server that speaks OpenAI's chat completions and embeddings: Mistral, Ollama, vLLM and many more. By
 * plain fetch: two calls need no library, and what they may do is bounded by ours.
 */
export function openai({ key, baseUrl, model, embeddingModel }: OpenAiSettings): Provider {
  async function post(
    exchange: Exchange,
    path: string,
    body: object,
    signal: AbortSignal,
  ): Promise<Response> {
    const headers = {
      "content-type": "application/json",
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    }
    return exchange.fetch(`${baseUrl}/${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
      signal,
    })
  }

  return {
    name: `openai ${model}`,
    embeddingName: embeddingModel && `openai ${embeddingModel}`,

    async *write({ system, user, schema }, signal) {
      const exchange = openExchange(maxWrittenBytes)
      const body = {
        model,
        messages: [
          { role: "system", content: system },
          { role: "user", content: user },
        ],
        temperature: 0,
        stream: true,
        response_format: {
          type: "json_schema",
          json_schema: { name: "reply", strict: true, schema: strict(schema) },
        },
      }
      const response = await post(exchange, "chat/completions", body, signal)
      yield* whole(chunksOf(response, exchange))
    },

    async embed(texts, _purpose, signal) {
      const exchange = openExchange(maxEmbeddingBytes)
      const body = { model: embeddingModel, input: texts, encoding_format: "float" }
      const response = await post(exchange, "embeddings", body, signal)
      const reply = (await response.json().catch(() => {
        throw exchange.failure ?? new ModelFailure("garbled")
      })) as { data?: { index?: number; embedding?: number[] }[] } | null
      const data = Array.isArray(reply?.data) ? reply.data : []
      const byIndex = new Map(data.toReversed().map((made) => [made?.index, made]))
      return data.map((made, at) => (byIndex.get(at) ?? made)?.embedding as number[])
    },
  }
}

/** Of one reply, most of them with a piece of it. */
const maxEvents = 25_000

interface Chunk {
  error?: unknown
  choices?:
    | { delta?: { content?: string | null; refusal?: string | null }; finish_reason?: string | null }[]
    | null
}

async function* chunksOf(response: Response, exchange: Exchange): AsyncGenerator<Chunk> {
  if (!response.body) throw new ModelFailure("garbled")
  let came = 0
  try {
    for await (const data of dataOf(response.body)) {
      if (data === "[DONE]") return
      if (++came > maxEvents) throw new ModelFailure("too_large", { detail: `over ${maxEvents} events` })
      const chunk = JSON.parse(data) as Chunk | null
      if (typeof chunk !== "object" || chunk === null) throw new ModelFailure("garbled")
      yield chunk
    }
  } catch (error) {
    // A parser's message may quote the reply. What was found first counts: leaving the reply ends its
    // connection.
    throw error instanceof ModelFailure ? error : (exchange.failure ?? new ModelFailure("garbled"))
  }
}

async function* whole(chunks: AsyncIterable<Chunk>): AsyncGenerator<string> {
  let wrote = false
  let ended = false
  for await (const { error, choices } of chunks) {
    if (error !== undefined && error !== null) throw new ModelFailure("server", { detail: "in mid-answer" })
    const [choice] = choices ?? []
    if (choice?.delta?.refusal) throw new ModelFailure("blocked", { detail: "refusal" })
    const text = choice?.delta?.content
    if (typeof text === "string" && text !== "") {
      wrote = true
      yield text
    }
    const reason = choice?.finish_reason
    if (reason === "length") throw new ModelFailure("truncated", { detail: reason })
    if (reason === "content_filter") throw new ModelFailure("blocked", { detail: reason })
    if (reason) ended = true
  }
  if (!wrote) throw new ModelFailure("empty")
  if (!ended) throw new ModelFailure("cut_off")
}

/** As the strict mode wants it: every property required, no other allowed. */
function strict(schema: JsonSchema): object {
  if (schema.type === "array") return { ...schema, items: strict(schema.items) }
  if (schema.type !== "object") return schema
  const properties = Object.fromEntries(
    Object.entries(schema.properties).map(([name, property]) => [name, strict(property)]),
  )
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false }
}
