import { checkAddress } from "../../outbound/address-text.ts"
import type { OutboundProxy } from "../../outbound/proxy.ts"
import {
  domainLookup,
  type FixedTarget,
  type NewResolver,
  openResolve,
  resolvers,
} from "../../outbound/resolve.ts"
import type { AddressGuard } from "../endpoints/endpoint.ts"
import { openSender, type Sender } from "./send.ts"
import { openTestReceiver, type TestReceiverDeps } from "./test-receiver.ts"

/** Disposing of it stops the receiver of endpoints of kind `test`. */
export interface Outbound extends AddressGuard, Sender, AsyncDisposable {}

export interface OutboundOverrides {
  newResolver?: NewResolver
  /** Replaces port 443 for resolved addresses. */
  port?: number
  answerTimeoutMs?: number
}

interface Settings {
  fixedTargets: readonly FixedTarget[]
  ca: string | undefined
  proxy?: OutboundProxy | undefined
}

/** Specification, part 4: "uses port 443". */
const httpsPort = 443

export function openOutbound(
  { fixedTargets, ca, proxy }: Settings,
  publicUrl: string,
  deps: TestReceiverDeps,
  { newResolver = resolvers(), port = httpsPort, answerTimeoutMs }: OutboundOverrides = {},
): Outbound {
  if (fixedTargets.length > 0 || ca !== undefined)
    deps.log.warn("endpoints are not resolved or trusted as usual: for tests and demonstrations only", {
      names: fixedTargets.map((target) => target.host),
    })
  const ownHost = new URL(publicUrl).hostname
  const resolve = openResolve({ lookup: domainLookup(newResolver), fixedTargets })
  const guard: AddressGuard = {
    checkAddress: (text) => checkAddress(text, ownHost),
    resolve: (host, signal) => resolve(host, port, signal),
  }
  const testReceiver = openTestReceiver(deps)
  const sender = openSender({ clock: deps.clock, guard, testReceiver, ca, proxy, timeoutMs: answerTimeoutMs })
  return {
    ...guard,
    ...sender,
    async [Symbol.asyncDispose]() {
      sender[Symbol.dispose]()
      await testReceiver[Symbol.asyncDispose]()
    },
  }
}
