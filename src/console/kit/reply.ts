import { securityHeaders } from "../../http/security.ts"

/** A page, kept by no cache. */
export function htmlReply(html: string, status = 200, headers: [string, string][] = []): Response {
  return new Response(`<!doctype html>${html}`, {
    status,
    headers: [
      ...Object.entries(securityHeaders),
      ["content-type", "text/html; charset=utf-8"],
      ["cache-control", "no-store"],
      ...headers,
    ],
  })
}

/** After an action: the browser opens the page, and a reload sends nothing twice. */
export function seeOther(path: string, headers: [string, string][] = []): Response {
  return new Response(null, {
    status: 303,
    headers: [
      ...Object.entries(securityHeaders),
      ["location", path],
      ["cache-control", "no-store"],
      ...headers,
    ],
  })
}
