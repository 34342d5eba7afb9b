import {
  type EnhancedGenerateContentResponse,
  type GenerationConfig,
  GoogleGenerativeAI,
  type ResponseSchema,
  SchemaType,
  TaskType,
} from "@google/generative-ai"
import { completeText, type ReplyPart } from "./complete-text.ts"
import { ModelFailure } from "./failure.ts"
import { type ModelHttp, type ModelNetwork, openModelHttp } from "./model-http.ts"
import {
  type EmbeddingPurpose,
  type JsonSchema,
  maxEmbeddingBytes,
  maxWrittenBytes,
  type Provider,
} from "./provider.ts"

interface GeminiSettings {
  key: () => string
  model: string
  embeddingModel: string
  /** undefined: Google's own. */
  baseUrl: string | undefined
}

/** Half the price and time of the largest size, and hardly worse. */
const vectorSize = 768
/** Includes the tokens that a model spends on thinking. */
const maxOutputTokens = 8192

/** Google's Gemini API. */
export function gemini(
  { key, model, embeddingModel, baseUrl }: GeminiSettings,
  network: ModelNetwork,
): Provider {
  const options = baseUrl === undefined ? {} : { baseUrl }
  const client = (model: string) => new GoogleGenerativeAI(key()).getGenerativeModel({ model }, options)

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
      const http = openModelHttp(maxWrittenBytes, network)
      const { stream, response } = await withFetch(http, () =>
        client(model).generateContentStream(request, { signal }),
      )
      // The library reads the stream a second time for `response`, which nothing here uses.
      response.catch(() => {})
      yield* completeText(replyParts(readReplies(stream, http)))
    },

    async embed(texts, purpose, signal) {
      const http = openModelHttp(maxEmbeddingBytes, network)
      const requests = texts.map((text) => embedRequest(text, purpose))
      const [only] = requests
      const embedder = client(embeddingModel)
      const vectors =
        only && requests.length === 1
          ? [(await withFetch(http, () => embedder.embedContent(only, { signal }))).embedding]
          : (await withFetch(http, () => embedder.batchEmbedContents({ requests }, { signal }))).embeddings
      return (Array.isArray(vectors) ? vectors : []).map((vector) => vector?.values)
    },
  }
}

/**
 * Runs a call of the library with our `fetch`. The library accepts no fetch, but it reads the global one
 * before its first await. So the global one is replaced only during that synchronous moment, which no other
 * code can see.
 */
async function withFetch<Result>(http: ModelHttp, call: () => Promise<Result>): Promise<Result> {
  const globalFetch = globalThis.fetch
  let result: Promise<Result>
  try {
    globalThis.fetch = http.fetch
    result = call()
  } finally {
    globalThis.fetch = globalFetch
  }
  try {
    return await result
  } catch (error) {
    throw http.failureOf(error)
  }
}

type GeminiReply = EnhancedGenerateContentResponse

async function* readReplies(stream: AsyncIterable<GeminiReply>, http: ModelHttp) {
  try {
    yield* stream
  } catch (error) {
    throw http.failureOf(error)
  }
}

async function* replyParts(replies: AsyncIterable<GeminiReply>): AsyncGenerator<ReplyPart> {
  for await (const { promptFeedback, candidates } of replies) {
    if (promptFeedback?.blockReason)
      throw new ModelFailure("blocked", { detail: enumName(promptFeedback.blockReason) })
    const [candidate] = candidates ?? []
    for (const part of candidate?.content?.parts ?? []) {
      const isThought = (part as { thought?: boolean }).thought === true
      if (!isThought && typeof part.text === "string") yield { text: part.text, isLast: false }
    }
    const reason = enumName(candidate?.finishReason)
    if (reason === undefined || reason === "FINISH_REASON_UNSPECIFIED") continue
    if (reason !== "STOP") throw finishFailure(reason)
    yield { text: "", isLast: true }
  }
}

function finishFailure(reason: string): ModelFailure {
  if (reason === "MAX_TOKENS") return new ModelFailure("truncated", { detail: reason })
  if (reason === "RECITATION") return new ModelFailure("recitation", { detail: reason })
  const isBlock = ["SAFETY", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE"].includes(reason)
  return new ModelFailure(isBlock ? "blocked" : "empty", { detail: reason })
}

/** The value if it looks like a name of one of the API's enums, such as `MAX_TOKENS`. */
function enumName(value: unknown): string | undefined {
  return typeof value === "string" && /^[A-Z_]{1,40}$/.test(value) ? value : undefined
}

function embedRequest(text: string, purpose: EmbeddingPurpose) {
  const taskType = purpose === "query" ? TaskType.RETRIEVAL_QUERY : TaskType.RETRIEVAL_DOCUMENT
  // The API accepts `outputDimensionality`. The library's types lack it, but the library passes it on.
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
    // The order makes the model write `answerable` before the sentences.
    return { type: SchemaType.OBJECT, properties, required: names, propertyOrdering: names } as ResponseSchema
  }
  const type = { string: SchemaType.STRING, integer: SchemaType.INTEGER, boolean: SchemaType.BOOLEAN }
  return { type: type[schema.type], ...described(schema) } as ResponseSchema
}

function described({ description }: { description?: string }) {
  return description === undefined ? {} : { description }
}
