import type { Server } from "bun"
import { minuteMs, secondMs } from "../base/clock.ts"

/** So long may a connection be silent: Bun looks every four seconds, and ends it. */
export const idleSeconds = 10
/** A phone on a poor line brings this much. */
const leastBytesPerSecond = 1024
/** Of a body as a whole, however steadily it comes. */
const longestBodySeconds = 120

/** For whoever ends the work in time to say so. */
const marginSeconds = 10
/** Bun waits for 255 seconds at most. */
const longestMs = 4 * minuteMs
const servers = new WeakMap<Request, Server<unknown>>()

export function rememberServer(request: Request, server: Server<unknown>): void {
  servers.set(request, server)
}

/**
 * Gives a body the time that `length` bytes of it, which have come, earn it: the silence that every
 * connection may keep, a second for each KB, two minutes in all. Bun alone would end whatever is slower than
 * 16 KB/s; who trickles is still ended as soon as who is silent.
 */
export function allowSlowBody(request: Request, length: number, elapsedMs: number): void {
  const wholeSeconds = Math.min(idleSeconds + length / leastBytesPerSecond, longestBodySeconds)
  servers.get(request)?.timeout(request, Math.max(Math.ceil(wholeSeconds - elapsedMs / secondMs), 1))
}

/** Once the body is read, the connection may be silent as long as any. */
export function endSlowBody(request: Request): void {
  servers.get(request)?.timeout(request, idleSeconds)
}

/**
 * Lets a reply take this long: Bun otherwise cuts a connection that is silent for `idleSeconds`. To be called
 * once the body is read, which would set the time back.
 */
export function allowSlowReply(request: Request, timeoutMs = longestMs): void {
  servers.get(request)?.timeout(request, Math.ceil(timeoutMs / secondMs) + marginSeconds)
}
