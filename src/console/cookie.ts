import { secondMs } from "../clock.ts"
import { parsedUrl } from "../text.ts"
import { sessionLongestMs } from "../workspaces/session.ts"

/** Only a page of exactly this host, reached by https, can set a cookie of this name (RFC 6265bis). */
const name = "__Host-guichet"
/** On the machine itself nothing crosses a network, and Safari keeps no Secure cookie from http://localhost. */
const loopbackName = "guichet"

/** What the browser holds of its session. */
export function sessionText(request: Request): string | undefined {
  const cookies = new Bun.CookieMap(request.headers.get("cookie") ?? "")
  return cookies.get(name) ?? (isLoopback(hostOf(request)) ? cookies.get(loopbackName) : null) ?? undefined
}

/** `origin`: that of the page the browser has signed in on. */
export function sessionCookie(text: string, origin: URL): string {
  return cookie(text, sessionLongestMs / secondMs, origin.protocol === "https:")
}

/** Both, since it is not told which one it was. */
export function clearedCookies(): [string, string][] {
  return [
    ["set-cookie", cookie("", 0, true)],
    ["set-cookie", cookie("", 0, false)],
  ]
}

/** Signing in anywhere else would send the password and the cookie over the network in the clear. */
export function isSafeOrigin(origin: URL): boolean {
  return origin.protocol === "https:" || isLoopback(origin.hostname)
}

function cookie(value: string, maxAgeSeconds: number, secure: boolean): string {
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax`
  return secure ? `${name}=${value}; ${attributes}; Secure` : `${loopbackName}=${value}; ${attributes}`
}

function hostOf(request: Request): string {
  return parsedUrl(`http://${request.headers.get("host")}`)?.hostname ?? ""
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}
