import { type Reply, receivedOf } from "./behaviour.ts"
import { key, type ModelServer, models } from "./server.ts"
import { streamed } from "./stream.ts"

/** Chat completions and embeddings as OpenAI's public reference describes them, and the bodies of errors. */
export async function openaiRoutes(
  request: Request,
  path: string,
  // biome-ignore lint/suspicious/noExplicitAny: a request may have any shape
  body: any,
  server: ModelServer,
): Promise<Response> {
  if (request.headers.get("authorization") !== `Bearer ${key}`)
    return error(401, "invalid_api_key", "Incorrect API key provided.")
  if (path === "/v1/embeddings") {
    if (body.model !== models.embed) return unknownModel(body.model)
    const made = await server.behaviour.embed(body.input)
    if (!Array.isArray(made)) return made.silent ? new Promise(() => {}) : failed(made)
    server.embedded.push(...body.input)
    const data = made.map((embedding, index) => ({ object: "embedding", index, embedding }))
    return Response.json({ object: "list", model: body.model, data })
  }
  if (path !== "/v1/chat/completions") return error(404, "unknown_url", "Unknown request URL.")
  if (body.model !== models.write) return unknownModel(body.model)
  const content = (role: string) =>
    body.messages.find((message: { role: string }) => message.role === role).content
  const reply = await server.behaviour.write(receivedOf(content("system"), content("user"), body.model))
  if (reply.silent) return new Promise(() => {})
  if (reply.raw !== undefined)
    return new Response(reply.raw, { headers: { "content-type": "text/event-stream" } })
  if (reply.status) return failed(reply)
  return asEvents(reply)
}

/** Google's names for how an answer ends, in OpenAI's words. */
const finishes: Record<string, string> = {
  STOP: "stop",
  MAX_TOKENS: "length",
  SAFETY: "content_filter",
  RECITATION: "content_filter",
}

function asEvents(reply: Reply): Response {
  const event = (value: unknown) => `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`
  if (reply.blocked !== undefined)
    return streamed(
      [
        event(chunk({ role: "assistant", content: "" })),
        event(chunk({ refusal: "I cannot help with that." })),
      ],
      [event(chunk({}, "stop")), event("[DONE]")],
      reply,
    )
  const { pieces = [], finish = "STOP" } = reply
  const end = finish === null ? [] : [event(chunk({}, finishes[finish] ?? "stop")), event("[DONE]")]
  return streamed(
    [event(chunk({ role: "assistant", content: "" })), ...pieces.map((content) => event(chunk({ content })))],
    end,
    reply,
  )
}

function chunk(delta: object, finish_reason: string | null = null) {
  return {
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1,
    model: models.write,
    choices: [{ index: 0, delta, finish_reason }],
  }
}

function unknownModel(model: string): Response {
  return error(404, "model_not_found", `The model ${model} does not exist or you do not have access to it.`)
}

const codes: Record<number, string> = {
  400: "invalid_request_error",
  403: "insufficient_permissions",
  429: "rate_limit_exceeded",
}

function failed({ status = 500, headers }: Reply): Response {
  const retry = status === 429 ? { "retry-after": "7" } : {}
  return error(status, codes[status] ?? "server_error", "The question Nabuchodonosor was not answered.", {
    ...retry,
    ...headers,
  })
}

function error(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ error: { message, type: "error", param: null, code } }, { status, headers })
}
