import { withoutScheme } from "../base/text.ts"
import type { EndpointKind } from "../db/tables/webhooks.ts"

/** The receiver within the program, whose URL leads nowhere and is never shown. */
export const testReceiverName = "Boîte d’essai"

/** The name of an endpoint on every page: its description, else its address without the scheme. */
export function endpointName({ kind, url, description }: NamedEndpoint): string {
  return description || (kind === "test" ? testReceiverName : withoutScheme(url))
}

/** For titles: its description, else the name of its host. */
export function endpointTitle(endpoint: NamedEndpoint): string {
  const { kind, url, description } = endpoint
  return description || kind === "test" ? endpointName(endpoint) : new URL(url).hostname
}

export interface NamedEndpoint {
  kind: EndpointKind
  url: string
  description: string
}
