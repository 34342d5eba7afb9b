import { readFileSync } from "node:fs"
import type { Clock } from "../../src/base/clock.ts"
import { systemClock } from "../../src/base/clock.ts"
import type { FixedTarget } from "../../src/outbound/resolve.ts"
import { type Outbound, type OutboundOverrides, openOutbound } from "../../src/webhooks/delivery/outbound.ts"
import type { Recipient } from "../../src/webhooks/delivery/queue.ts"
import type { SendResult } from "../../src/webhooks/delivery/send.ts"
import type { TestReceiverDeps } from "../../src/webhooks/delivery/test-receiver.ts"
import { newSecret, signingKey } from "../../src/webhooks/endpoints/signature.ts"
import type { Authority } from "./authority.ts"

export const name = "hooks.acme.fr"
export const secret = newSecret()
export const messageId = "msg_0199"
export const body = new TextEncoder().encode('{"type":"form.response.created","nom":"Zoé"}')

/** The guard and the door as the service holds them, with these names found on loopback. */
export function outboundTo(
  authority: Authority,
  fixedTargets: readonly FixedTarget[],
  { clock = systemClock, ...overrides }: OutboundOverrides & { clock?: Clock } = {},
): Outbound {
  const ca = readFileSync(authority.caFile, "utf8")
  return openOutbound({ fixedTargets, ca }, "https://guichet.acme.fr", depsOf(clock), overrides)
}

/** None of it is needed for endpoints of kind `https`. */
export function depsOf(clock: Clock): TestReceiverDeps {
  return { clock, log: { warn() {} }, db: undefined, vault: undefined } as never
}

export function recipient(url: string): Recipient {
  return { id: "ep_1", kind: "https", url, keys: [signingKey(secret)] }
}

export function at(port: number, host: string = name): FixedTarget {
  return { host, ip: "127.0.0.1", port }
}

/** One attempt. */
export function attempt(outbound: Outbound, url = `https://${name}/in?q=1`): Promise<SendResult> {
  return outbound.send(recipient(url), messageId, body)
}
