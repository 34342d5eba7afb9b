import { type Reply, receivedOf } from "./behaviour.ts"
import { key, type ModelServer, models } from "./server.ts"
import { streamed } from "./stream.ts"

/**
 * Google's REST API, version v1beta, as its public reference describes it: four methods, and the bodies of
 * errors.
 */
export async function geminiRoutes(
  request: Request,
  path: string,
  // biome-ignore lint/suspicious/noExplicitAny: a request may have any shape
  body: any,
  server: ModelServer,
): Promise<Response> {
  const [, model, method] = /^\/v1beta\/models\/([\w.-]+):(\w+)(?:\?alt=sse)?$/.exec(path) ?? []
  if (request.headers.get("x-goog-api-key") !== key) return invalidKey()
  const known = method?.includes("mbed") ? models.embed : models.write
  if (model !== known)
    return error(
      404,
      "NOT_FOUND",
      `models/${model} is not found for API version v1beta, or is not supported.`,
    )
  if (method === "embedContent") {
    const vectors = await embedded([body])
    return vectors instanceof Response ? vectors : Response.json({ embedding: vectors[0] })
  }
  if (method === "batchEmbedContents") {
    if (body.requests.length > 100)
      return error(400, "INVALID_ARGUMENT", "at most 100 requests can be in one batch")
    const vectors = await embedded(body.requests)
    return vectors instanceof Response ? vectors : Response.json({ embeddings: vectors })
  }
  const reply = await written()
  if (reply.silent) return new Promise(() => {})
  if (reply.raw !== undefined)
    return new Response(reply.raw, { headers: { "content-type": "text/event-stream" } })
  if (reply.status) return failed(reply)
  if (method === "streamGenerateContent" && path.endsWith("?alt=sse")) return asEvents(reply)
  if (method === "generateContent")
    return Response.json(chunk((reply.pieces ?? []).join(""), reply.finish ?? "STOP"))
  return error(404, "NOT_FOUND", "no such method")

  async function embedded(requests: { content: { parts: { text: string }[] } }[]) {
    const texts = requests.map(({ content }) => content.parts.map(({ text }) => text).join(""))
    const made = await server.behaviour.embed(texts)
    if (!Array.isArray(made)) return made.silent ? new Promise<Response>(() => {}) : failed(made)
    server.embedded.push(...texts)
    return made.map((values) => ({ values }))
  }

  async function written(): Promise<Reply> {
    const text = (content: { parts: { text: string }[] }) => content.parts.map(({ text }) => text).join("")
    return server.behaviour.write(
      receivedOf(text(body.systemInstruction), text(body.contents[0]), model as string),
    )
  }
}

function asEvents(reply: Reply): Response {
  const event = (value: unknown) => `data: ${JSON.stringify(value)}\r\n\r\n`
  if (reply.blocked !== undefined)
    return streamed([], [event({ promptFeedback: { blockReason: reply.blocked } })], reply)
  const { pieces = [], finish = "STOP" } = reply
  const last = finish === null ? [] : [event(chunk("", finish))]
  return streamed(
    pieces.map((piece) => event(chunk(piece))),
    last,
    reply,
  )
}

function chunk(text: string, finishReason?: string) {
  const content = { role: "model", ...(text && { parts: [{ text }] }) }
  return {
    candidates: [{ index: 0, content, ...(finishReason && { finishReason }) }],
    usageMetadata: { promptTokenCount: 1, totalTokenCount: 2 },
    modelVersion: models.write,
  }
}

function invalidKey(): Response {
  return error(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", [
    {
      "@type": "type.googleapis.com/google.rpc.ErrorInfo",
      reason: "API_KEY_INVALID",
      domain: "googleapis.com",
    },
  ])
}

const statuses: Record<number, string> = {
  400: "INVALID_ARGUMENT",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
}

function failed({ status = 500, headers }: Reply): Response {
  const details =
    status === 429 ? [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "7s" }] : []
  return error(
    status,
    statuses[status] ?? "UNKNOWN",
    "The question Nabuchodonosor was not answered.",
    details,
    headers,
  )
}

function error(
  code: number,
  status: string,
  message: string,
  details: object[] = [],
  headers: Record<string, string> = {},
): Response {
  return Response.json(
    { error: { code, message, status, ...(details.length > 0 && { details }) } },
    { status: code, headers },
  )
}
