import type { Server } from "bun"

const servers = new WeakMap<Request, Server<unknown>>()

export function rememberServer(request: Request, server: Server<unknown>): void {
  servers.set(request, server)
}

/**
 * Lets a reply take this long: Bun otherwise cuts a connection that is silent for ten seconds. To be called once the body
 * is read, which would set the time back.
 */
export function allowSlowReply(request: Request, seconds: number): void {
  servers.get(request)?.timeout(request, seconds)
}
