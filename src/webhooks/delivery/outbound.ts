import type { Clock } from "../../base/clock.ts"
import type { Log } from "../../base/log.ts"
import {
  type FixedTarget,
  type NewResolver,
  openResolve,
  type Resolve,
  resolvers,
} from "../../outbound/resolve.ts"
import { type AcceptedAddress, type AddressRule, judgeAddress } from "../endpoints/address.ts"
import { openSend, type Send } from "./send.ts"

/** The address guard and the one door behind it, as the rest of the program holds them. */
export interface Outbound {
  /** Judges the text of an address; asks nobody. */
  judgeAddress(text: string): AcceptedAddress | { refused: AddressRule }
  /** Resolves a name and judges every answer. */
  resolve: Resolve
  /** Makes one attempt. */
  send: Send
}

/** What a test replaces. */
export interface OutboundOverrides {
  newResolver?: NewResolver
  /** Where resolved addresses are called: 443 everywhere but in a test. */
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
