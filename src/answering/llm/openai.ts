import { completeText, type ReplyPart } from "./complete-text.ts"
import { ModelFailure } from "./failure.ts"
import { type ModelHttp, type ModelNetwork, openModelHttp } from "./model-http.ts"
import { type JsonSchema, maxEmbeddingBytes, maxWrittenBytes, type Provider } from "./provider.ts"

interface OpenAiSettings {
  /** Gives undefined when the server needs none. */
  key: () => string | undefined
  /** Includes the version: `https://api.mistral.ai/v1`. */
  baseUrl: string
  model: string
  /** undefined: no vectors, passages are found by words alone. */
  embeddingModel: string | undefined
}

/**
 * Any server with OpenAI's chat completions and embeddings: Mistral, Ollama, vLLM and many more. Uses plain
 * `fetch`: two calls need no library, and ModelHttp bounds them.
 */
export function openai(
  { key, baseUrl, model, embeddingModel }: OpenAiSettings,
  network: ModelNetwork,
): Provider {
  async function post(http: ModelHttp, path: string, body: object, signal: AbortSignal): Promise<Response> {
    const secret = key()
    const headers = {
      "content-type": "application/json",
      ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
    }
    return http.fetch(`${baseUrl}/${path}`, {
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
      const http = openModelHttp(maxWrittenBytes, network)
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
      const response = await post(http, "chat/completions", body, signal)
      yield* completeText(replyParts(readChunks(response, http)))
    },

    async embed(texts, _purpose, signal) {
      const http = openModelHttp(maxEmbeddingBytes, network)
      const body = { model: embeddingModel, input: texts, encoding_format: "float" }
      const response = await post(http, "embeddings", body, signal)
      const reply = (await response.json().catch((error) => {
        throw http.failureOf(error)
      })) as { data?: { index?: number; embedding?: number[] }[] } | null
      const data = Array.isArray(reply?.data) ? reply.data : []
      // When two vectors have one index, the first counts.
      const byIndex = new Map(data.toReversed().map((item) => [item?.index, item]))
      return data.map((item, at) => (byIndex.get(at) ?? item)?.embedding as number[])
    },
  }
}

/** Events of one reply. Most hold a piece of text, so this is somewhat more than the pieces that may come. */
const maxEvents = 25_000

interface Chunk {
  error?: unknown
  choices?:
    | { delta?: { content?: string | null; refusal?: string | null }; finish_reason?: string | null }[]
    | null
}

async function* readChunks(response: Response, http: ModelHttp): AsyncGenerator<Chunk> {
  if (!response.body) throw new ModelFailure("garbled")
  let count = 0
  try {
    for await (const data of eventData(response.body)) {
      if (data === "[DONE]") return
      if (++count > maxEvents) throw new ModelFailure("too_large", { detail: `over ${maxEvents} events` })
      const chunk = JSON.parse(data) as Chunk | null
      if (typeof chunk !== "object" || chunk === null) throw new ModelFailure("garbled")
      yield chunk
    }
  } catch (error) {
    throw http.failureOf(error)
  }
}

async function* replyParts(chunks: AsyncIterable<Chunk>): AsyncGenerator<ReplyPart> {
  for await (const { error, choices } of chunks) {
    if (error !== undefined && error !== null) throw new ModelFailure("server", { detail: "in mid-answer" })
    const [choice] = choices ?? []
    if (choice?.delta?.refusal) throw new ModelFailure("blocked", { detail: "refusal" })
    const text = choice?.delta?.content
    if (typeof text === "string") yield { text, isLast: false }
    const reason = choice?.finish_reason
    if (reason === "length") throw new ModelFailure("truncated", { detail: reason })
    if (reason === "content_filter") throw new ModelFailure("blocked", { detail: reason })
    if (reason) yield { text: "", isLast: true }
  }
}

/** Adds what OpenAI's strict mode requires: every property is required, and no other is allowed. */
function strict(schema: JsonSchema): object {
  if (schema.type === "array") return { ...schema, items: strict(schema.items) }
  if (schema.type !== "object") return schema
  const properties = Object.fromEntries(
    Object.entries(schema.properties).map(([name, property]) => [name, strict(property)]),
  )
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false }
}

/**
 * Yields the `data` of each event of a `text/event-stream` body (HTML standard, server-sent events). Leaves
 * out a last event that was cut off. Collects the chunks of a line, so that one event of megabytes is not
 * searched again with every chunk.
 */
async function* eventData(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let dataLines: string[] = []
  let partialLine: string[] = []
  for await (const bytes of body) {
    const parts = decoder.decode(bytes, { stream: true }).split("\n")
    partialLine.push(parts[0] as string)
    for (const part of parts.slice(1)) {
      const line = partialLine.join("").replace(/\r$/, "")
      partialLine = [part]
      if (line === "" && dataLines.length > 0) {
        yield dataLines.join("\n")
        dataLines = []
      }
      const [, data] = /^data: ?(.*)$/.exec(line) ?? []
      if (data !== undefined) dataLines.push(data)
    }
  }
}
