import { detail, Refusal } from "../base/errors.ts"
import { errorReply } from "./error-replies.ts"

/** What any route may be asked by; CONNECT asks for a tunnel, and has a host where the others have a path. */
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

/**
 * Refuses before routing what no route can be asked: a tunnel, an address that is none, and a path that
 * cannot be decoded or holds a NUL. Elysia would give the route no parameter at all for such a part, as if
 * its path had none.
 */
export function badTarget({ method, url }: Request): Response | undefined {
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
