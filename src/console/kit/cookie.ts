import { randomBytes } from "node:crypto"
import { sessionLongestMs } from "../../accounts/session.ts"
import { dayMs, secondMs } from "../../base/clock.ts"
import { parsedUrl } from "../../base/text.ts"

/**
 * Only a page of exactly this host, reached by https, can set a cookie whose name begins so (RFC 6265bis). On
 * the machine itself nothing crosses a network, and Safari keeps no Secure cookie from http://localhost:
 * there names go without.
 */
const securely = "__Host-"
const sessionName = "guichet"
/**
 * Tells one browser from others, and lives on when nobody is signed in: its own tries alone make it wait. It
 * opens nothing.
 */
const browserName = "guichet-browser"
/** What browsers let a cookie live at most (RFC 6265bis). */
const browserKeptMs = 400 * dayMs

/** What the browser holds of its session. */
export function sessionText(request: Request): string | undefined {
  return textIn(request, sessionName)
}

/** What the browser is recognised by, if it has been given something. */
export function browserText(request: Request): string | undefined {
  const text = textIn(request, browserName)
  return text !== undefined && /^[\w-]{43}$/.test(text) ? text : undefined
}

export function newBrowserText(): string {
  return randomBytes(32).toString("base64url")
}

/** `origin`: that of the page the browser has signed in on. */
export function sessionCookie(text: string, origin: URL): string {
  return cookie(sessionName, text, sessionLongestMs, origin.protocol === "https:")
}

export function browserCookie(text: string, origin: URL): string {
  return cookie(browserName, text, browserKeptMs, origin.protocol === "https:")
}

/** Both of the session, since it is not told which one it was. */
export function clearedCookies(): [string, string][] {
  return [
    ["set-cookie", cookie(sessionName, "", 0, true)],
    ["set-cookie", cookie(sessionName, "", 0, false)],
  ]
}

/** Signing in anywhere else would send the password and the cookie over the network in the clear. */
export function isSafeOrigin(origin: URL): boolean {
  return origin.protocol === "https:" || isLoopback(origin.hostname)
}

function cookie(name: string, value: string, livesMs: number, secure: boolean): string {
  const attributes = `Path=/; Max-Age=${livesMs / secondMs}; HttpOnly; SameSite=Lax`
  return secure ? `${securely}${name}=${value}; ${attributes}; Secure` : `${name}=${value}; ${attributes}`
}

function textIn(request: Request, name: string): string | undefined {
  const cookies = new Bun.CookieMap(request.headers.get("cookie") ?? "")
  const text = cookies.get(securely + name) ?? (isLoopback(hostOf(request)) ? cookies.get(name) : null)
  return text ?? undefined
}

function hostOf(request: Request): string {
  return parsedUrl(`http://${request.headers.get("host")}`)?.hostname ?? ""
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}
