import {
  type EnhancedGenerateContentResponse,
  type GenerationConfig,
  GoogleGenerativeAI,
  type ResponseSchema,
  SchemaType,
  TaskType,
} from "@google/generative-ai"
import { type Exchange, openExchange } from "./exchange.ts"
import { ModelFailure } from "./failure.ts"
import {
  type EmbeddingPurpose,
  type JsonSchema,
  maxEmbeddingBytes,
  maxWrittenBytes,
  type Provider,
} from "./provider.ts"

interface GeminiSettings {
  key: string
  model: string
  embeddingModel: string
  /** undefined: Google's. */
  baseUrl: string | undefined
}

/** Half the price and time of the largest, and hardly worse. */
const vectorSize = 768
/** Thinking counts as output too. */
const maxOutputTokens = 8192

/** Google's Gemini API. */
export function gemini({ key, model, embeddingModel, baseUrl }: GeminiSettings): Provider {
  const google = new GoogleGenerativeAI(key)
  const options = baseUrl === undefined ? {} : { baseUrl }
  const generator = google.getGenerativeModel({ model }, options)
  const embedder = google.getGenerativeModel({ model: embeddingModel }, options)

  return {
    name: `gemini ${model}`,
    embeddingName: `gemini ${embeddingModel} ${vectorSize}`,

    async *write({ system, user, schema }, signal) {
      const request = {
        systemInstruction: system,
        contents: [{ role: "user", parts: [{ text: user }] }],
        generationConfig: {
          temperature: 0,
          maxOutputTokens,
          responseMimeType: "application/json",
          responseSchema: responseSchema(schema),
        } satisfies GenerationConfig,
      }
      const exchange = openExchange(maxWrittenBytes)
      const { stream, response } = await through(exchange, () =>
        generator.generateContentStream(request, { signal }),
      )
      // The library reads everything a second time for this; nobody waits for it.
      response.catch(() => {})
      yield* whole(untroubled(stream, exchange))
    },

    async embed(texts, purpose, signal) {
      const exchange = openExchange(maxEmbeddingBytes)
      const requests = texts.map((text) => embedRequest(text, purpose))
      const [only] = requests
      const vectors =
        only && requests.length === 1
          ? [(await through(exchange, () => embedder.embedContent(only, { signal }))).embedding]
          : (await through(exchange, () => embedder.batchEmbedContents({ requests }, { signal }))).embeddings
      return (Array.isArray(vectors) ? vectors : []).map((vector) => vector?.values)
    },
  }
}

/**
 * The library takes no fetch of ours, but it looks the global one up before its first await: for that moment,
 * and for nobody else, the global one is ours.
 */
async function through<Result>(exchange: Exchange, call: () => Promise<Result>): Promise<Result> {
  const usual = globalThis.fetch
  let called: Promise<Result>
  try {
    globalThis.fetch = exchange.fetch
    called = call()
  } finally {
    globalThis.fetch = usual
  }
  try {
    return await called
  } catch {
    // Its own message may quote the reply.
    throw exchange.failure ?? new ModelFailure("garbled")
  }
}

async function* untroubled<Piece>(pieces: AsyncIterable<Piece>, exchange: Exchange): AsyncGenerator<Piece> {
  try {
    yield* pieces
  } catch {
    throw exchange.failure ?? new ModelFailure("garbled")
  }
}

async function* whole(replies: AsyncIterable<EnhancedGenerateContentResponse>): AsyncGenerator<string> {
  let wrote = false
  let ended = false
  for await (const { promptFeedback, candidates } of replies) {
    if (promptFeedback?.blockReason)
      throw new ModelFailure("blocked", { detail: word(promptFeedback.blockReason) })
    const [candidate] = candidates ?? []
    for (const part of candidate?.content?.parts ?? []) {
      const isThought = (part as { thought?: boolean }).thought === true
      if (isThought || typeof part.text !== "string" || part.text === "") continue
      wrote = true
      yield part.text
    }
    const reason = word(candidate?.finishReason)
    if (reason === undefined || reason === "FINISH_REASON_UNSPECIFIED") continue
    if (reason !== "STOP") throw failureOfFinish(reason)
    ended = true
  }
  if (!wrote) throw new ModelFailure("empty")
  if (!ended) throw new ModelFailure("cut_off")
}

function failureOfFinish(reason: string): ModelFailure {
  if (reason === "MAX_TOKENS") return new ModelFailure("truncated", { detail: reason })
  if (reason === "RECITATION") return new ModelFailure("recitation", { detail: reason })
  const isBlock = ["SAFETY", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE"].includes(reason)
  return new ModelFailure(isBlock ? "blocked" : "empty", { detail: reason })
}

/** One of the API's own names. */
function word(value: unknown): string | undefined {
  return typeof value === "string" && /^[A-Z_]{1,40}$/.test(value) ? value : undefined
}

function embedRequest(text: string, purpose: EmbeddingPurpose) {
  const taskType = purpose === "question" ? TaskType.RETRIEVAL_QUERY : TaskType.RETRIEVAL_DOCUMENT
  // The API takes a size; the library's types have not heard of it, and it is passed on.
  return {
    content: { role: "user", parts: [{ text }] },
    taskType,
    outputDimensionality: vectorSize,
  }
}

function responseSchema(schema: JsonSchema): ResponseSchema {
  if (schema.type === "array")
    return { type: SchemaType.ARRAY, items: responseSchema(schema.items), ...described(schema) }
  if (schema.type === "object") {
    const names = Object.keys(schema.properties)
    const properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => [name, responseSchema(property)]),
    )
    // In this order, so that whether it answers is known before what it answers.
    return { type: SchemaType.OBJECT, properties, required: names, propertyOrdering: names } as ResponseSchema
  }
  const type = { string: SchemaType.STRING, integer: SchemaType.INTEGER, boolean: SchemaType.BOOLEAN }
  return { type: type[schema.type], ...described(schema) } as ResponseSchema
}

function described({ description }: { description?: string }) {
  return description === undefined ? {} : { description }
}
