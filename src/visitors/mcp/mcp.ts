import type { McpHttpHandler } from "@modelcontextprotocol/server"
import type { Project } from "../../accounts/project.ts"
import { requireAskedProject, requireEnabledAssistant } from "../../answering/ask/admit.ts"
import { admitProgram } from "../../answering/ask/program-limits.ts"
import { detail, Refusal, statusOfCode } from "../../base/errors.ts"
import { isDeclared, originOf } from "../../base/origin.ts"
import { jsonIn, readBody } from "../../http/body.ts"
import { clientReader } from "../../http/client.ts"
import { extendReplyTimeout } from "../../http/extend-timeout.ts"
import type { RequestContext } from "../../http/routes.ts"
import { englishReason } from "../../wording/english.ts"
import { loggable, toRefusal } from "../../wording/error-replies.ts"
import { sentence } from "../../wording/programs/programs.ts"
import { type AskDeps, askRecords, unexpected } from "../ask-record.ts"
import { mcpServer } from "./server.ts"

/** A question of 1,000 characters, with what the protocol puts around it. */
const maxRequestBytes = 64 * 1024

/**
 * `/mcp/:project`: the Model Context Protocol by streamable HTTP, open to everyone who may read the site. Each
 * request stands for itself, so that any node answers it, and there is no session to open or to end.
 */
export function mcpHandlers(deps: AskDeps) {
  const { assistant, log, config } = deps
  const clientAddress = clientReader(config.trustedProxies)
  const startRecord = askRecords(deps)

  /** Throws Refusal; the order decides which error a program sees. */
  async function admitted(request: Request, id: string, address: string): Promise<Project> {
    const project = await requireAskedProject(assistant, id)
    if (!project.mcpEnabled) throw new Refusal("not_found", detail("assistant.programsOff"))
    const origin = request.headers.get("origin")
    // Programs send none. A page sends its own, also one whose name was made to lead here (DNS rebinding).
    if (origin !== null && !isDeclared(origin, [...project.origins, originOf(config.publicUrl) ?? ""]))
      throw new Refusal("origin_not_allowed", detail("assistant.programOrigin"))
    requireEnabledAssistant(project)
    await admitProgram(assistant, project, address)
    return project
  }

  async function answer(request: Request, projectId: string): Promise<Response> {
    const address = clientAddress(request)
    let project: Project | undefined
    let id: RequestId = null
    try {
      project = await admitted(request, projectId, address)
      const body = await readBody(request, maxRequestBytes).catch(() => new Uint8Array())
      if (!body) return rpcError(413, "the request is longer than 64 KB")
      const message = jsonIn(body)
      if (message === undefined) return rpcError(400, "the request is not JSON", { code: parseError })
      // One request for many calls: it was taken out of the protocol in June 2025.
      if (Array.isArray(message)) return rpcError(400, "batches are not answered", { code: invalidRequest })
      id = requestIdIn(message)
      extendReplyTimeout(request, assistant.answerTimeoutMs)
      const { signal } = request
      const refusalOf = (error: unknown) => {
        if (error instanceof Refusal) return error
        const refusal = unexpected(error)
        if (!signal.aborted)
          log.error("request failed", { ...loggable(request), reason: englishReason(refusal) })
        return refusal
      }
      const call = { assistant, project, address, signal, record: () => startRecord(request), refusalOf }
      return await inAcceptedForm(request, await mcpServer(call), message)
    } catch (error) {
      const refusal = toRefusal(error, request, log)
      const { retryAfterSeconds } = refusal
      const explanation = sentence(refusal.detail, project?.language ?? "fr")
      return rpcError(statusOfCode[refusal.code], explanation, { id, retryAfterSeconds })
    }
  }

  return {
    call: ({ request, params }: RequestContext<"project">) => answer(request, params.project),
    refuse: () => rpcError(405, "there are no sessions here: send POST"),
  }
}

/**
 * The SDK answers only programs that accept both JSON and events. Others get the one message of the events as JSON,
 * which RFC 9110, 12.5.1, allows whatever they accept.
 */
async function inAcceptedForm(
  { url, method, headers: own, signal }: Request,
  server: McpHttpHandler,
  message: unknown,
): Promise<Response> {
  const headers = new Headers(own)
  headers.set("accept", "application/json, text/event-stream")
  const reply = await server.fetch(new Request(url, { method, headers, signal }), { parsedBody: message })
  const isStream = reply.headers.get("content-type")?.startsWith("text/event-stream")
  if (!isStream || own.get("accept")?.includes("text/event-stream")) return reply
  const event = [...(await reply.text()).matchAll(/^data: (.+)$/gm)].at(-1)?.[1]
  if (event === undefined) throw new Error("the stream of events ended without a message")
  return new Response(event, { headers: { "content-type": "application/json", "cache-control": "no-store" } })
}

type RequestId = string | number | null

/** JSON-RPC 2.0, 5.1, and the first code that is a server's own. */
const parseError = -32_700
const invalidRequest = -32_600
const serverError = -32_000

function requestIdIn(message: unknown): RequestId {
  const { id } = (message ?? {}) as { id?: unknown }
  return typeof id === "number" || (typeof id === "string" && id.length <= 200) ? id : null
}

interface ErrorParts {
  code?: number
  id?: RequestId
  retryAfterSeconds?: number | undefined
}

/** An error of the whole request. Its code says more than its HTTP status only where the protocol has one for it. */
function rpcError(status: number, message: string, parts: ErrorParts = {}): Response {
  const { code = serverError, id = null, retryAfterSeconds } = parts
  return Response.json(
    { jsonrpc: "2.0", error: { code, message }, id },
    {
      status,
      headers: {
        "cache-control": "no-store",
        ...(status === 405 && { allow: "POST" }),
        ...(retryAfterSeconds !== undefined && { "retry-after": String(retryAfterSeconds) }),
      },
    },
  )
}
