import { Elysia } from "elysia"
import { languages } from "../accounts/projects/record.ts"
import { type AdmittedQuestion, admit } from "../assistant/ask/admit.ts"
import { type AskResult, type Assistant, answerAdmitted } from "../assistant/ask/ask.ts"
import { maxAskBytes, parseAskRequest } from "../assistant/ask/ask-request.ts"
import type { CitedPiece } from "../assistant/ask/citations.ts"
import { courtesyOf } from "../assistant/ask/courtesy.ts"
import { giveFeedback } from "../assistant/ask/feedback.ts"
import { noteOpened } from "../assistant/ask/opened.ts"
import { unavailable } from "../assistant/ask/queue.ts"
import { findRelated } from "../assistant/ask/related.ts"
import { secondMs } from "../base/clock.ts"
import { detail, Refusal } from "../base/errors.ts"
import type { Log } from "../base/log.ts"
import { acceptedLanguage } from "../http/accept-language.ts"
import { readBody } from "../http/body.ts"
import { clientReader } from "../http/client.ts"
import { extendReplyTimeout } from "../http/extend-timeout.ts"
import { operation } from "../http/operation.ts"
import { requestIdOf } from "../http/request-id.ts"
import { reasonOf } from "../wording/english.ts"
import { errorBody, errorReply } from "../wording/error-replies.ts"
import { acceptsEvents, eventStream } from "./event-stream.ts"
import { askReply, askRequest, feedback, openedPassage, relatedPages } from "./schemas.ts"

interface AskDeps {
  assistant: Assistant
  log: Log
  /** Records every question: the status of its answer or the code of its refusal, and how long it took. */
  metrics: { observeAsk(result: string, seconds: number): void }
  config: { trustedProxies: readonly string[] }
}

/** The routes that visitors' pages call to ask, to give feedback, and about pages that may help. */
export function askRoutes(deps: AskDeps) {
  const reply = askReplier(deps)
  return new Elysia({ name: "ask" })
    .post(
      "/api/v1/ask",
      ({ request }) => reply(request),
      operation({
        body: askRequest,
        answers: { 200: askReply },
        refuses: [403, 404, 409, 429],
      }),
    )
    .post(
      "/api/v1/answers/:id/feedback",
      async ({ request, params }) => {
        const body = await jsonBody(request)
        await giveFeedback(deps.assistant, params.id, body, request.headers.get("origin"))
        return new Response(null, { status: 204 })
      },
      operation({
        body: feedback,
        answers: { 204: null },
        refuses: [403, 429],
      }),
    )
    .post(
      "/api/v1/answers/:id/opened",
      async ({ request, params }) => {
        const body = await jsonBody(request)
        await noteOpened(deps.assistant, params.id, body, request.headers.get("origin"))
        return new Response(null, { status: 204 })
      },
      operation({
        body: openedPassage,
        answers: { 204: null },
        refuses: [403],
      }),
    )
    .post(
      "/api/v1/answers/:id/related",
      async ({ request, params }) => {
        const items = await findRelated(deps.assistant, params.id, request.headers.get("origin"))
        return Response.json({ items }, { headers: { "cache-control": "no-store" } })
      },
      operation({
        answers: { 200: relatedPages },
        refuses: [403],
      }),
    )
}

/**
 * Replies to a question, errors included, and logs one line about it: never the question, never the visitor.
 * A client that accepts events gets the verified sentences as they come, once the question is admitted. A
 * refusal before that has its own HTTP status.
 */
function askReplier({ assistant, log: programLog, metrics, config }: AskDeps) {
  const clientOf = clientReader(config.trustedProxies)
  const log = programLog.getChild("ask")

  return async (request: Request): Promise<Response> => {
    const startedMs = performance.now()
    const logFields: Record<string, unknown> = { requestId: requestIdOf(request) }
    const recordMetric = (result: string) =>
      metrics.observeAsk(result, (performance.now() - startedMs) / secondMs)
    const closingFields = () => ({ ...logFields, ms: Math.round(performance.now() - startedMs) })

    function answered({ reply, cached }: AskResult) {
      recordMetric(reply.status)
      log.info("question answered", {
        ...closingFields(),
        status: reply.status,
        sources: reply.sources.length,
        cached,
      })
      return reply
    }

    function refused(error: unknown): Refusal {
      const refusal = error instanceof Refusal ? error : unexpected(error)
      recordMetric(refusal.code)
      const level = refusal.code === "unavailable" && !request.signal.aborted ? "error" : "info"
      log[level]("question refused", { ...closingFields(), code: refusal.code, reason: reasonOf(refusal) })
      return refusal
    }

    const streamed = (question: AdmittedQuestion) =>
      eventStream(async (send, signal) => {
        try {
          // A widget does not ask for an opinion of it, nor call it an answer that was not found.
          if (courtesyOf(question.request.question)) send("courtesy", {})
          const sendPiece = (piece: CitedPiece) => send("sentence", piece)
          send("answer", answered(await answerAdmitted(assistant, question, signal, sendPiece)))
        } catch (error) {
          send("error", errorBody(refused(error)))
        }
      }, request.signal)

    try {
      const asked = parseAskRequest(await jsonBody(request))
      logFields["project"] = asked.project
      extendReplyTimeout(request, assistant.answerTimeoutMs)
      const { signal } = request
      const caller = {
        origin: request.headers.get("origin"),
        address: clientOf(request),
        language: acceptedLanguage(request, languages),
        signal,
      }
      const question = await admit(assistant, asked, caller)
      if (acceptsEvents(request)) return streamed(question)
      const reply = answered(await answerAdmitted(assistant, question, signal))
      return Response.json(reply, { headers: { "cache-control": "no-store" } })
    } catch (error) {
      return errorReply(refused(error))
    }
  }
}

/** The log gets what kind of error it was and where it happened. Its message may quote the question. */
function unexpected(error: unknown): Refusal {
  return unavailable(kindAndPlaceOf(error), 10)
}

function kindAndPlaceOf(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return "not an error"
  const { code, errno } = error as NodeJS.ErrnoException
  const codes = [...new Set([code, errno])].filter((each) => /^[\w-]{1,60}$/.test(String(each ?? "")))
  // An error of the database's driver may have no frame.
  const frames = error.stack?.split("\n").filter((line) => /^ {4}at /.test(line)) ?? []
  const kind = [error.name, ...codes].join(" ")
  const cause =
    error.cause === undefined || depth === 3 ? [] : [`from ${kindAndPlaceOf(error.cause, depth + 1)}`]
  return [kind, ...frames, ...cause].join("\n")
}

/** The body, in bytes, of a request that declares JSON. Throws Refusal `invalid_request`. */
async function jsonBody(request: Request): Promise<Uint8Array> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get("content-type") ?? ""))
    throw new Refusal("invalid_request", detail("assistant.notJson"))
  const body = await readBody(request, maxAskBytes).catch(() => new Uint8Array())
  if (!body) throw new Refusal("invalid_request", detail("assistant.tooLarge"))
  return body
}
