import type { Network } from "../../src/reading/kinds/web/network.ts"
import { openSiteFetcher } from "../../src/reading/kinds/web/site-fetcher.ts"
import { inEnglish } from "../../src/wording/english.ts"
import { testNetwork } from "./site.ts"

export const wanted = { method: "GET", accept: "text/html", maxBytes: 100_000 } as const
export const nothingAborts = new AbortController().signal

/** Requests one address by a fetcher for its own origin and the others given. */
export function requestSite(address: string, network: Network = testNetwork(), origins: string[] = []) {
  return openSiteFetcher([address, ...origins], network).request(new URL(address), wanted, nothingAborts)
}

export async function outcomeOf(reply: ReturnType<typeof requestSite>): Promise<string> {
  const found = await reply
  return "detail" in found && found.detail ? `${found.outcome}: ${inEnglish(found.detail)}` : found.outcome
}
