import { securityHeaders } from "../../http/security.ts"

/** An HTML page that no cache stores. */
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

/** Redirects after an action (303), so that reloading the page does not submit the form again. */
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

/** The page that a form asks for. Only below `/console`: a link to the console never leads to another site. */
export function nextPage(requested: string | null | undefined): string {
  return requested && /^\/console\/(?!.*\.\.)[\w/?=&%.*+-]*$/.test(requested) ? requested : "/console"
}
