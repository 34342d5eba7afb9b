import { randomBytes } from "node:crypto"
import { Elysia } from "elysia"

const ids = new WeakMap<Request, string>()

/** Id of a request in the log and in the reply's `x-request-id`, so that one leads to the other. */
export function requestId(request: Request): string {
  let id = ids.get(request)
  if (!id) {
    id = randomBytes(9).toString("base64url")
    ids.set(request, id)
  }
  return id
}

/** Sends `x-request-id` with every reply, errors included. */
export function requestIds() {
  return new Elysia({ name: "request-id" }).onRequest(({ request, set }) => {
    set.headers["x-request-id"] = requestId(request)
  })
}
