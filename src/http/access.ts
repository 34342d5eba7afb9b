import { blockTest } from "../base/block-test.ts"
import type { Refusal } from "../base/errors.ts"
import { accessPart, type Log } from "../base/log.ts"
import { clientReader } from "./client.ts"
import { requestId } from "./request-id.ts"

/** The ways in that are refused; each is the message of its line, which fail2ban looks for. */
export type RefusedEntry = "sign-in failed" | "token refused" | "link refused"

/** Tells the log and the metrics about tries to get in, so that guesses are seen and their addresses banned. */
export interface Access {
  signedIn(): void
  /** Never logs a word of the request: what was typed may be the right password of something else. */
  refused(request: Request, message: RefusedEntry, code: Refusal["code"]): void
}

interface AccessDeps {
  log: Log
  metrics: { countSignIn(result: string): void; countTokenRefused(): void }
  config: { trustedProxies: readonly string[]; logAddresses: boolean }
}

export function openAccess({ log, metrics, config }: AccessDeps): Access {
  const accessLog = log.getChild(accessPart)
  const clientAddress = clientReader(config.trustedProxies)
  const isProxy = blockTest(config.trustedProxies)

  /** `proxy` marks a proxy that does not name its client: to ban it would ban everybody. */
  function loggedAddress(request: Request) {
    const address = clientAddress(request)
    return { address, ...(isProxy(address) && { proxy: true }) }
  }

  return {
    signedIn: () => metrics.countSignIn("signed_in"),
    refused(request, message, code) {
      if (message === "sign-in failed") metrics.countSignIn(code)
      if (message === "token refused") metrics.countTokenRefused()
      accessLog.warn(message, {
        ...(config.logAddresses && loggedAddress(request)),
        code,
        requestId: requestId(request),
      })
    },
  }
}
