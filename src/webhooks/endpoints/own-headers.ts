import { detail, Refusal } from "../../base/errors.ts"
import type { GivenHeader } from "../../http/record/own-headers.ts"

/** Whose the sealed headers of an endpoint are. */
export function headerSeal(endpointId: string) {
  return { purpose: `endpoint header ${endpointId}`, invalid: "webhooks.invalidEndpoint" }
}

/** A value goes only to the host that it was given for: an operator who may change the URL must not learn it. */
export function requireValuesFor(
  url: string,
  { url: before, headers: stored }: { url: string; headers: readonly { name: string }[] },
  given: readonly GivenHeader[] | undefined,
): void {
  if (new URL(url).host === new URL(before).host) return
  const [first] = given ? given.filter(({ value }) => value === undefined) : stored
  if (!first) return
  const fields = { headers: detail("webhooks.headersOfOtherHost", { name: first.name }) }
  throw new Refusal("invalid_request", detail("webhooks.invalidEndpoint"), { fields })
}
