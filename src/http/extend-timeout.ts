import type { Server } from "bun"
import { minuteMs, secondMs } from "../base/clock.ts"

/** Bun closes a connection after this long without data; it checks every four seconds. */
export const idleSeconds = 10
/** Rate that a phone on a poor line still reaches. */
const minBytesPerSecond = 1024
/** Limit for a whole body, however steadily it arrives; files have more, at a rate of their own. */
const maxBodySeconds = 120
const minFileBytesPerSecond = 64 * 1024
/** Bun takes no more. */
const maxTimeoutSeconds = 255

/** Leaves the handler time to reply after its own timeout. */
const marginSeconds = 10
/** Below Bun's maximum of 255 seconds, with the margin. */
const maxReplyMs = 4 * minuteMs
const servers = new WeakMap<Request, Server<unknown>>()

export function rememberServer(request: Request, server: Server<unknown>): void {
  servers.set(request, server)
}

/**
 * Extends the timeout of a body of which `length` bytes have arrived. The body has `idleSeconds`, plus one
 * second for each KB received, and at most two minutes and a second for each 64 KB in all. Bun alone closes any
 * connection slower than 16 KB/s. A client that trickles is still closed as soon as a silent one.
 */
export function extendBodyTimeout(request: Request, length: number, elapsedMs: number): void {
  const mostSeconds = maxBodySeconds + length / minFileBytesPerSecond
  const wholeSeconds = Math.min(idleSeconds + length / minBytesPerSecond, mostSeconds)
  const left = Math.ceil(wholeSeconds - elapsedMs / secondMs)
  servers.get(request)?.timeout(request, Math.min(Math.max(left, 1), maxTimeoutSeconds))
}

export function resetTimeout(request: Request): void {
  servers.get(request)?.timeout(request, idleSeconds)
}

/** Gives a reply the time for lists, which are read in portions, in one line with all others. */
export function extendForLists(request: Request): void {
  extendReplyTimeout(request)
}

/** Bun closes a connection that is silent for `idleSeconds`. To be called after the body is read. */
export function extendReplyTimeout(request: Request, timeoutMs = maxReplyMs): void {
  servers.get(request)?.timeout(request, Math.ceil(timeoutMs / secondMs) + marginSeconds)
}
