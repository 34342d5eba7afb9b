import { attemptMinutes } from "../../../accounts/oidc/attempt.ts"
import { sessionLongestMs } from "../../../accounts/session.ts"
import { dayMs, minuteMs, secondMs } from "../../../base/clock.ts"
import { parsedUrl } from "../../../base/text.ts"

/**
 * Browsers accept a cookie with this name prefix only from a page of exactly this host, reached by https
 * (RFC 6265bis). Cookies set over plain http on the loopback address go without the prefix: nothing crosses a
 * network there, and Safari keeps no Secure cookie from http://localhost.
 */
const securePrefix = "__Host-"
const sessionName = "guichet"
/** Identifies a browser, so that only its own failed sign-ins slow it down. It grants no access. */
const browserName = "guichet-browser"
const attemptName = "guichet-oidc"
/** The project whose menu the pages of its workspace go on showing. It grants no access. */
const projectName = "guichet-project"
/** Longest lifetime that browsers allow a cookie (RFC 6265bis). */
const browserKeptMs = 400 * dayMs

/** The session secret in the request's cookie, not yet checked. */
export function sessionText(request: Request): string | undefined {
  return textIn(request, sessionName)
}

/** The browser that signs in: its name, and the session that the new one replaces (OWASP ASVS 5.0, 7.2.4). */
export function signInBrowser(request: Request) {
  return { replaces: sessionText(request), userAgent: request.headers.get("user-agent") ?? undefined }
}

export function browserText(request: Request): string | undefined {
  const text = textIn(request, browserName)
  return text !== undefined && /^[\w-]{43}$/.test(text) ? text : undefined
}

/** `origin` is the origin of the page where the browser signed in. */
export function sessionCookie(text: string, origin: URL): string {
  return cookie(sessionName, text, sessionLongestMs, origin.protocol === "https:")
}

export function browserCookie(text: string, origin: URL): string {
  return cookie(browserName, text, browserKeptMs, origin.protocol === "https:")
}

/** A sign-in that the browser has begun at the OpenID provider, sealed. */
export function attemptText(request: Request): string | undefined {
  return textIn(request, attemptName)
}

export function attemptCookie(text: string, origin: URL): string {
  return cookie(attemptName, text, attemptMinutes * minuteMs, origin.protocol === "https:")
}

export function clearedAttempt(origin: URL): [string, string] {
  return ["set-cookie", cookie(attemptName, "", 0, origin.protocol === "https:")]
}

/** Id of the project that the browser was shown last, if any: it may belong to another workspace. */
export function lastProjectIn(request: Request): string | undefined {
  const text = textIn(request, projectName)
  return text !== undefined && /^[a-z0-9]{8,64}$/.test(text) ? text : undefined
}

/** As secure as the cookie of the session that the request has. */
export function projectCookie(request: Request, id: string): string {
  const isSecure = requestCookies(request).has(securePrefix + sessionName)
  return cookie(projectName, id, browserKeptMs, isSecure)
}

/** Clears both session cookies, with and without the prefix: a request does not tell which one it used. */
export function clearedCookies(): [string, string][] {
  return [
    ["set-cookie", cookie(sessionName, "", 0, true)],
    ["set-cookie", cookie(sessionName, "", 0, false)],
  ]
}

/** On any other origin, signing in would send the password and the cookie over the network in the clear. */
export function isSafeOrigin(origin: URL): boolean {
  return origin.protocol === "https:" || isLoopback(origin.hostname)
}

function cookie(name: string, value: string, livesMs: number, secure: boolean): string {
  const attributes = `Path=/; Max-Age=${livesMs / secondMs}; HttpOnly; SameSite=Lax`
  return secure ? `${securePrefix}${name}=${value}; ${attributes}; Secure` : `${name}=${value}; ${attributes}`
}

function textIn(request: Request, name: string): string | undefined {
  const cookies = requestCookies(request)
  const text =
    cookies.get(securePrefix + name) ?? (isLoopback(requestHostname(request)) ? cookies.get(name) : null)
  return text ?? undefined
}

function requestCookies(request: Request): Bun.CookieMap {
  return new Bun.CookieMap(request.headers.get("cookie") ?? "")
}

function requestHostname(request: Request): string {
  return parsedUrl(`http://${request.headers.get("host")}`)?.hostname ?? ""
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}
