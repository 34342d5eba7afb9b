import type { Clock } from "../../base/clock.ts"
import type { Log } from "../../base/log.ts"
import { type FixedTarget, type NewResolver, openResolve, resolvers } from "../../outbound/resolve.ts"
import { judgeAddress } from "../endpoints/address.ts"
import type { AddressGuard } from "../endpoints/endpoint.ts"
import { openSend, type Send } from "./send.ts"

/** The address guard, and the sender behind it. */
export interface Outbound extends AddressGuard {
  send: Send
}

/** For tests. */
export interface OutboundOverrides {
  newResolver?: NewResolver
  /** Replaces port 443 for resolved addresses. */
  port?: number
  answerTimeoutMs?: number
}

interface Settings {
  fixedTargets: readonly FixedTarget[]
  ca: string | undefined
}

export function openOutbound(
  { fixedTargets, ca }: Settings,
  publicUrl: string,
  clock: Clock,
  log: Log,
  { newResolver = resolvers(), port, answerTimeoutMs }: OutboundOverrides = {},
): Outbound {
  if (fixedTargets.length > 0 || ca !== undefined)
    log.warn("endpoints are not resolved or trusted as usual: for tests and demonstrations only", {
      names: fixedTargets.map((target) => target.host),
    })
  const ownHost = new URL(publicUrl).hostname
  const resolve = openResolve(newResolver, fixedTargets, port)
  return {
    judgeAddress: (text) => judgeAddress(text, ownHost),
    resolve,
    send: openSend({ clock, resolve, ownHost, ca, timeoutMs: answerTimeoutMs }),
  }
}
