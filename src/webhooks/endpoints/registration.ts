import { secondMs } from "../../base/clock.ts"
import { type Detail, detail, Refusal } from "../../base/errors.ts"
import type { Resolve } from "../../outbound/resolve.ts"
import type { AcceptedAddress, AddressRule } from "./address.ts"

/** The guard of every address that is called, as `delivery/outbound.ts` opens it. */
export interface AddressGuard {
  /** Judges the text of an address, without resolving its name. */
  judgeAddress(text: string): AcceptedAddress | { refused: AddressRule }
  resolve: Resolve
}

/** Somebody waits for the answer. */
const resolutionTimeoutMs = 5 * secondMs

/**
 * The address under which an endpoint may be stored. Throws Refusal `invalid_request` naming the rule the
 * text breaks, or that the name leads nowhere or to a private network, never where; `unavailable` when the
 * name cannot be judged for the moment.
 */
export async function acceptableUrl(outbound: AddressGuard, text: string): Promise<string> {
  const address = outbound.judgeAddress(text)
  if ("refused" in address) throw refusal("invalid_request", detail(`webhooks.rules.${address.refused}`))
  const resolution = await outbound.resolve(address.host, AbortSignal.timeout(resolutionTimeoutMs))
  if ("targets" in resolution) return address.href
  if (resolution.temporary) throw refusal("unavailable", detail("webhooks.unresolvedNow"))
  throw refusal(
    "invalid_request",
    resolution.outcome === "private_address"
      ? detail("webhooks.privateAddress")
      : detail("webhooks.unresolved"),
  )
}

function refusal(code: "invalid_request" | "unavailable", told: Detail): Refusal {
  return new Refusal(code, detail("webhooks.invalidEndpoint"), { fields: { url: told } })
}
