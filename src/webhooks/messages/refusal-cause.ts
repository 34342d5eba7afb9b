import type { LoggedAttempt } from "./delivery-log.ts"

export type FailedAttempt = Pick<LoggedAttempt, "status" | "cause" | "response_excerpt" | "response_headers">

/** Faults of a receiver that are recognised by its answer, for a face to say how each is mended. */
export type RefusalKind =
  | "allowedHosts"
  | "alreadySeen"
  | "appendSlash"
  | "authentication"
  | "csrf"
  | "csrfOrSignature"
  | "field"
  | "gateway"
  | "host"
  | "mediaType"
  | "method"
  | "notFound"
  | "rate"
  | "redirect"
  | "redirectToItself"
  | "redirectToSignIn"
  | "refused"
  | "server"
  | "signature"
  | "size"
  | "unreadable"

export interface RefusalCause {
  kind: RefusalKind
  /** The address of a redirect, the methods that are allowed, or the field that is missing. */
  named: string | null
}

/** As `test/frameworks/receivers.ts` gets the answers. Undefined for an attempt without a failing status. */
export function refusalCause(attempt: FailedAttempt, url: string | undefined): RefusalCause | undefined {
  const { status, response_excerpt: excerpt } = attempt
  if (status === null || (status >= 200 && status < 300)) return undefined
  if (status >= 300 && status < 400) return redirect(responseHeader(attempt, "location"), url)
  const text = excerpt ?? ""
  const byText = saidIn.find(([statuses, pattern]) => statuses.includes(status) && pattern.test(text))?.[2]
  if (byText) return { kind: byText, named: null }
  if (status === 401 || status === 403) return { kind: deniedBy(attempt), named: null }
  if (status === 405) return { kind: "method", named: responseHeader(attempt, "allow") ?? null }
  if (status === 422) return { kind: "field", named: missingField(text) }
  return { kind: byStatus[status] ?? (status >= 500 ? "server" : "refused"), named: null }
}

/** Sentences of frameworks, by the statuses that they are sent with. */
const saidIn: readonly (readonly [statuses: number[], pattern: RegExp, kind: RefusalKind])[] = [
  [[400, 403, 419, 422], /csrf|xsrf|authenticity ?token|page expired/i, "csrf"],
  [[400], /DisallowedHost|<title>Bad Request \(400\)<\/title>/, "allowedHosts"],
  [[400, 403, 421], /invalid host header|host [^<]{1,200}is not trusted/i, "host"],
  // Django's page with DEBUG on, the rest of which is longer than what is kept of an answer.
  [[500], /APPEND_SLASH|<title>RuntimeError\s+at \/[^<]*[^/<\s]\s*<\/title>/, "appendSlash"],
  [[401, 403], /credentials were not provided/i, "authentication"],
  [[400, 401, 403, 500], /no matching signature|invalid signature|webhookverification/i, "signature"],
]

const byStatus: Readonly<Record<number, RefusalKind>> = {
  400: "unreadable",
  404: "notFound",
  409: "alreadySeen",
  410: "notFound",
  413: "size",
  415: "mediaType",
  419: "csrf",
  421: "host",
  429: "rate",
  502: "gateway",
  503: "gateway",
  504: "gateway",
}

function redirect(location: string | undefined, url: string | undefined): RefusalCause {
  const target = location === undefined ? null : URL.parse(location, url)
  if (!target) return { kind: "redirect", named: location ?? null }
  // An application behind a proxy often takes itself to be called without TLS.
  if (url !== undefined && target.host === new URL(url).host) target.protocol = "https:"
  const named = target.href
  if (named === url) return { kind: "redirectToItself", named }
  const isSignIn = /\b(?:log-?in|sign-?in|connexion|auth)\b/i.test(target.pathname)
  return { kind: isSignIn ? "redirectToSignIn" : "redirect", named }
}

/** A password in front, or Spring Security, which refuses a POST without its token and says nothing of it. */
function deniedBy(attempt: FailedAttempt): RefusalKind {
  if (responseHeader(attempt, "www-authenticate")) return "authentication"
  const isSpring =
    responseHeader(attempt, "x-xss-protection") === "0" && responseHeader(attempt, "pragma") === "no-cache"
  return attempt.status === 403 ? (isSpring ? "csrf" : "csrfOrSignature") : "signature"
}

const maxFieldLength = 100

/** FastAPI names each as `{"loc":["body","nom"]}`. */
function missingField(text: string): string | null {
  const [, place] = /"loc":\[([^[\]]*)\]/.exec(text) ?? []
  return place === undefined ? null : place.replaceAll('"', "").replaceAll(",", ".").slice(0, maxFieldLength)
}

function responseHeader({ response_headers: headers }: FailedAttempt, wanted: string): string | undefined {
  return headers?.find(({ name }) => name.toLowerCase() === wanted)?.value
}
