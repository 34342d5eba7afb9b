import { Elysia } from "elysia"
import { detail, Refusal, statusOfCode } from "../base/errors.ts"
import type { Log } from "../base/log.ts"
import type { Access } from "../http/access.ts"
import { isRoutableHost } from "../http/host.ts"
import { type ReplyLanguage, replyLanguage } from "../http/reply-language.ts"
import { requestId } from "../http/request-id.ts"
import { englishMessage } from "./english.ts"
import { fieldSentences, userMessage } from "./user-message.ts"

/** The error object of the specification (part 2 A3). `fields`: a message for each field at fault. */
export interface ErrorBody {
  error: { code: string; message: string; fields?: Record<string, string> }
}

/**
 * Turns everything that a route throws into the error object. It is registered before every route: Elysia's
 * own replies would show the message of any error, and echo a body that failed a check.
 */
export function errorReplies(
  { log: programLog, access }: { log: Log; access: Access },
  allowedMethods: (path: string) => string[],
) {
  const log = programLog.getChild("http")
  return new Elysia({ name: "errors" }).onError({ as: "global" }, ({ code, error, path, request }) => {
    if (error instanceof Refusal) {
      // A request without a token guesses none.
      if (error.code === "unauthorized" && request.headers.has("authorization"))
        access.refused(request, "token refused", error.code)
      return errorReply(error, replyLanguage(request))
    }
    if (code === "NOT_FOUND") return unknownRoute(path, allowedMethods, replyLanguage(request))
    if (
      code === "VALIDATION" ||
      code === "PARSE" ||
      code === "INVALID_COOKIE_SIGNATURE" ||
      code === "INVALID_FILE_TYPE"
    ) {
      return errorReply(
        new Refusal("invalid_request", detail("requests.invalidRequest")),
        replyLanguage(request),
      )
    }
    return errorReply(toRefusal(error, request, log), replyLanguage(request))
  })
}

/** The refusal for any error: a defect is logged, and becomes `unavailable`. */
export function toRefusal(error: unknown, request: Request, log: Log): Refusal {
  if (error instanceof Refusal) return error
  log.error("request failed", { ...loggable(request), error })
  return unavailable()
}

/** The rest of some paths is a secret link of one person; a query holds what people type. */
export function loggable(request: Request): { requestId: string; method: string; path: string } {
  // `URL.parse` never throws: a second error must not hide the first.
  const path = (URL.parse(request.url)?.pathname ?? "")
    .replace(/^\/(consent|files|console\/setup|console\/invitations)\/.*/, "/$1/…")
    .slice(0, maxLoggedPath)
  return { requestId: requestId(request), method: request.method, path }
}

const maxLoggedPath = 200

export function defectReply(error: unknown, log: Log): Response {
  log.error("request failed", { error })
  return errorReply(unavailable())
}

function unavailable(): Refusal {
  return new Refusal("unavailable", detail("requests.unavailable"), { retryAfterSeconds: 10 })
}

export function errorReply(refusal: Refusal, language: ReplyLanguage = "fr"): Response {
  const { code, retryAfterSeconds } = refusal
  return Response.json(errorBody(refusal, language), {
    status: statusOfCode[code],
    headers: {
      "cache-control": "no-store",
      "content-language": language,
      ...(code === "unauthorized" && { "www-authenticate": bearerChallenge(refusal) }),
      ...(retryAfterSeconds !== undefined && { "retry-after": String(retryAfterSeconds) }),
    },
  })
}

/** RFC 9110, 15.5.2: every 401 has it. RFC 6750, 3.1: it tells what is wrong with a token, where one was sent. */
function bearerChallenge({ detail }: Refusal): string {
  const why = typeof detail === "object" && tokenFaults[detail.code]
  const challenge = 'Bearer realm="guichet"'
  return why ? `${challenge}, error="invalid_token", error_description="${why}"` : challenge
}

const tokenFaults: Record<string, string> = {
  "requests.tokenUnknown": "unknown",
  "requests.tokenRevoked": "revoked",
  "requests.tokenExpired": "expired",
}

export function errorBody({ code, detail, fields }: Refusal, language: ReplyLanguage = "fr"): ErrorBody {
  const inWords = language === "en" ? englishMessage : userMessage
  return {
    error: { code, message: inWords(detail), ...(fields && { fields: fieldSentences(fields, inWords) }) },
  }
}

function unknownRoute(path: string, allowedMethods: (path: string) => string[], language: ReplyLanguage) {
  const allowed = allowedMethods(path)
  if (allowed.length === 0) return errorReply(new Refusal("not_found", detail("requests.notFound")), language)
  const refusal = new Refusal("method_not_allowed", detail("requests.methodNotAllowed", { allowed }))
  const reply = errorReply(refusal, language)
  reply.headers.set("allow", allowed.join(", "))
  return reply
}

/** All methods but CONNECT, which asks for a tunnel and has a host in place of a path. */
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

/**
 * Refuses four kinds of requests before routing: with a Host that cannot be routed, a tunnel, an unreadable URL,
 * and a path that cannot be decoded or holds a NUL. Elysia would drop the path parameter of such a part without
 * an error.
 */
export function badTarget({ method, url, headers }: Request): Response | undefined {
  if (!isRoutableHost(headers.get("host")))
    return errorReply(new Refusal("invalid_request", detail("requests.badHost")))
  if (method === "CONNECT") {
    const reply = errorReply(
      new Refusal("method_not_allowed", detail("requests.methodNotAllowed", { allowed: methods })),
    )
    reply.headers.set("allow", methods.join(", "))
    return reply
  }
  const path = URL.parse(url)?.pathname
  if (path !== undefined && isReadable(path)) return undefined
  return errorReply(new Refusal("not_found", detail("requests.notFound")))
}

function isReadable(path: string): boolean {
  if (!path.includes("%")) return true
  try {
    return !decodeURIComponent(path).includes("\0")
  } catch {
    return false
  }
}
