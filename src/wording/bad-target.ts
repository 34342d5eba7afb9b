import { detail, Refusal } from "../base/errors.ts"
import { isRoutableHost } from "../http/host.ts"
import { errorReply } from "./error-replies.ts"

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
