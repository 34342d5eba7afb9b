import type { Server } from "bun"
import { minuteMs, secondMs } from "../clock.ts"

/** For whoever ends the work in time to say so. */
const marginSeconds = 10
/** Bun waits for 255 seconds at most. */
const longestMs = 4 * minuteMs
const servers = new WeakMap<Request, Server<unknown>>()

export function rememberServer(request: Request, server: Server<unknown>): void {
  servers.set(request, server)
}

/**
 * Lets a reply take this long: Bun otherwise cuts a connection that is silent for ten seconds. To be called once the body
 * is read, which would set the time back.
 */
export function allowSlowReply(request: Request, timeoutMs = longestMs): void {
  servers.get(request)?.timeout(request, Math.ceil(timeoutMs / secondMs) + marginSeconds)
}
