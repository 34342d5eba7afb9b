import { languages } from "../accounts/projects/record.ts"
import { type AdmittedQuestion, admit } from "../answering/ask/admit.ts"
import { answerAdmitted } from "../answering/ask/ask.ts"
import { maxAskBytes, parseAskRequest } from "../answering/ask/ask-request.ts"
import type { CitedPiece } from "../answering/ask/citations.ts"
import { courtesyOf } from "../answering/ask/courtesy.ts"
import { giveFeedback } from "../answering/ask/feedback.ts"
import { noteOpened } from "../answering/ask/opened.ts"
import { findRelated } from "../answering/ask/related.ts"
import { detail, Refusal } from "../base/errors.ts"
import { readBody } from "../http/body.ts"
import { clientReader } from "../http/client.ts"
import { extendReplyTimeout } from "../http/extend-timeout.ts"
import { acceptedLanguage } from "../http/reply-language.ts"
import { described, type RequestContext } from "../http/routes.ts"
import { errorBody, errorReply } from "../wording/error-replies.ts"
import { type AskDeps, askRecords } from "./ask-record.ts"
import { acceptsEvents, eventStream } from "./event-stream.ts"
import { askReply, askRequest, feedback, openedPassage, relatedPages } from "./schemas.ts"
import { withTextFragments } from "./text-fragments.ts"

/** The routes that visitors' pages call to ask, to give feedback, and about pages that may help. */
export function askHandlers(deps: AskDeps) {
  const reply = askReplier(deps)
  return {
    ask: described(
      {
        body: askRequest,
        answers: { 200: askReply },
        refuses: [403, 404, 409, 429],
      },
      ({ request }: RequestContext) => reply(request),
    ),
    feedback: described(
      {
        body: feedback,
        answers: { 204: null },
        refuses: [403, 429],
      },
      async ({ request, params }: RequestContext<"id">) => {
        const body = await jsonBody(request)
        await giveFeedback(deps.assistant, params.id, body, request.headers.get("origin"))
        return new Response(null, { status: 204 })
      },
    ),
    opened: described(
      {
        body: openedPassage,
        answers: { 204: null },
        refuses: [403],
      },
      async ({ request, params }: RequestContext<"id">) => {
        const body = await jsonBody(request)
        await noteOpened(deps.assistant, params.id, body, request.headers.get("origin"))
        return new Response(null, { status: 204 })
      },
    ),
    related: described(
      {
        answers: { 200: relatedPages },
        refuses: [403],
      },
      async ({ request, params }: RequestContext<"id">) => {
        const items = await findRelated(deps.assistant, params.id, request.headers.get("origin"))
        return Response.json({ items }, { headers: { "cache-control": "no-store" } })
      },
    ),
  }
}

/**
 * Replies to a question, errors included. A client that accepts events gets the verified sentences as they come, once
 * the question is admitted. A refusal before that has its own HTTP status.
 */
function askReplier(deps: AskDeps) {
  const { assistant, config } = deps
  const clientAddress = clientReader(config.trustedProxies)
  const startRecord = askRecords(deps)

  return async (request: Request): Promise<Response> => {
    const record = startRecord(request)

    const streamed = (question: AdmittedQuestion) =>
      eventStream(async (send, signal) => {
        try {
          // A widget does not ask for an opinion of it, nor call it an answer that was not found.
          if (courtesyOf(question.request.question)) send("courtesy", {})
          const sendPiece = (piece: CitedPiece) => send("sentence", piece)
          const answer = () => answerAdmitted(assistant, question, signal, sendPiece)
          const result = await record.within(answer)
          const reply = record.answered(result)
          send("answer", result.isQuoted && wantsMarks(request) ? withTextFragments(reply) : reply)
        } catch (error) {
          send("error", errorBody(record.refused(error)))
        }
      }, request.signal)

    try {
      const parsedRequest = parseAskRequest(await jsonBody(request))
      record.note({ project: parsedRequest.project })
      extendReplyTimeout(request, assistant.answerTimeoutMs)
      const { signal } = request
      const caller = {
        origin: request.headers.get("origin"),
        address: clientAddress(request),
        language: acceptedLanguage(request, languages),
        signal,
      }
      const question = await admit(assistant, parsedRequest, caller)
      if (acceptsEvents(request)) return streamed(question)
      const answer = () => answerAdmitted(assistant, question, signal)
      const reply = record.answered(await record.within(answer))
      return Response.json(reply, { headers: { "cache-control": "no-store" } })
    } catch (error) {
      return errorReply(record.refused(error))
    }
  }
}

/** Our own widget asks for sources that mark what is quoted. Other programs get the addresses as they are. */
function wantsMarks({ headers }: Request): boolean {
  return /;marks=1(?:,|$)/.test(headers.get("accept") ?? "")
}

/** The body, in bytes, of a request that declares JSON. Throws Refusal `invalid_request`. */
export async function jsonBody(request: Request, maxBytes = maxAskBytes): Promise<Uint8Array> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get("content-type") ?? ""))
    throw new Refusal("invalid_request", detail("assistant.notJson"))
  const body = await readBody(request, maxBytes).catch(() => new Uint8Array())
  if (!body) throw new Refusal("invalid_request", detail("assistant.tooLarge", { maxBytes }))
  return body
}
