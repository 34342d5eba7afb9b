import { detail, Refusal } from "../base/errors.ts"
import type { Vault } from "../db/vault.ts"
import { type GivenHeader, openHeaders, sealHeaders } from "../http/record/own-headers.ts"
import { type Feed, feedKinds } from "./kinds/table.ts"

/** The headers that a protected site asks for: they go to the host of the feed's address alone, over https alone. */

/** Seals new headers of a feed in place of the stored ones, which stay when no new ones are given. */
export type SealHeaders = (feedId: string, stored: string | null) => string | null

export function sealFor(vault: Vault, given: readonly GivenHeader[] | undefined): SealHeaders {
  return (id, stored) => (given ? sealHeaders(vault, secretOwner(id), given, stored) : stored)
}

export function headersOf(vault: Vault, feedId: string, sealed: string): Readonly<Record<string, string>> {
  return openHeaders(vault, secretOwner(feedId), sealed)
}

/** The header for a token, or for `user:token` where the server asks for a name of its own. */
export function tokenHeader(token: string): GivenHeader {
  const pair = token.includes(":") ? token : `git:${token}`
  return { name: "authorization", value: `Basic ${Buffer.from(pair).toString("base64")}` }
}

/** Throws Refusal `invalid_request`: nothing may be read on the way. */
export function requireHttps({ kind, address }: Pick<Feed, "kind" | "address">, sealed: string | null): void {
  if (sealed === null || (address.startsWith("https:") && feedKinds[kind].secret)) return
  const reason = detail("assistant.headersNeedHttps")
  throw new Refusal("invalid_request", detail("assistant.invalidFeed"), {
    fields: { headers: reason },
    reason,
  })
}

function secretOwner(feedId: string) {
  return { purpose: `feed header ${feedId}`, invalid: "assistant.invalidFeed" }
}
