import { Type } from "@sinclair/typebox"
import { detail, Refusal } from "../../base/errors.ts"
import type { Vault } from "../../db/vault.ts"
import { ruled, told } from "../../http/record/rule.ts"

/** Headers that an owner adds to every message of an endpoint: a key, say, that a gateway before it asks for. */

export const maxOwnHeaders = 10
/** Of each, name and value together. */
export const maxOwnHeaderBytes = 4096
const maxNameLength = 100

/** A token by RFC 9110 (5.1). */
const name = ruled(Type.String({ pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$", maxLength: maxNameLength }), {
  read: (typed: string) => (/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(typed) ? typed : undefined),
})

/** Visible ASCII, with spaces and tabs between: what else is a byte of a header means different things to many. */
const value = ruled(
  Type.String({ pattern: "^[\\t\\x20-\\x7e]*[\\x21-\\x7e][\\t\\x20-\\x7e]*$", maxLength: maxOwnHeaderBytes }),
  {
    read(typed: string) {
      // Before `trim`, which also removes line breaks: these are refused.
      return (/^[\t\x20-\x7e]+$/.test(typed) && typed.trim()) || undefined
    },
  },
)

/** Those that Guichet writes itself, or that say where one message ends and the next begins. */
const reserved =
  /^(host|accept|accept-encoding|user-agent|transfer-encoding|connection|expect|te|upgrade|keep-alive|trailer|http2-settings|(webhook|content|proxy)-.*)$/

export const ownHeader = ruled(
  Type.Object({
    name: told(name, "webhooks.headerName", { max: maxNameLength }),
    value: Type.Optional(told(value, "webhooks.headerValue")),
  }),
  {
    read(header: GivenHeader, refuse) {
      if (reserved.test(header.name?.toLowerCase() ?? ""))
        refuse("name", detail("webhooks.reservedHeader", { name: header.name }))
      if ((header.name?.length ?? 0) + (header.value?.length ?? 0) > maxOwnHeaderBytes)
        refuse("value", detail("webhooks.headerValue"))
      return header
    },
  },
)

export const ownHeaders = told(Type.Array(ownHeader, { maxItems: maxOwnHeaders }), "webhooks.headers", {
  max: maxOwnHeaders,
})

export interface GivenHeader {
  name: string
  /** Absent: the one that is stored under this name. */
  value?: string | undefined
}

interface StoredHeader {
  name: string
  /** By the vault. */
  sealed: string
}

/**
 * The `headers` column for these headers, in place of those that were stored. Throws Refusal `invalid_request` for a
 * name given twice, and for one without a value under which none is stored.
 */
export function sealHeaders(
  vault: Vault,
  endpointId: string,
  given: readonly GivenHeader[],
  stored: string | null,
): string | null {
  const before = new Map(read(stored).map((header) => [header.name.toLowerCase(), header.sealed]))
  const seen = new Set<string>()
  const headers = given.map(({ name, value }, place): StoredHeader => {
    const key = name.toLowerCase()
    if (seen.has(key)) throw wrongHeader(`headers.${place}.name`, "headerTwice", name)
    seen.add(key)
    const sealed = value === undefined ? before.get(key) : vault.seal(value, purpose(endpointId, key))
    if (sealed === undefined) throw wrongHeader(`headers.${place}.value`, "headerWithoutValue", name)
    return { name, sealed }
  })
  return headers.length === 0 ? null : JSON.stringify(headers)
}

/** Their values are never shown. */
export function headerNames(stored: string | null): { name: string }[] {
  return read(stored).map(({ name }) => ({ name }))
}

export function openHeaders(
  vault: Vault,
  endpointId: string,
  stored: string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    read(stored).map(({ name, sealed }) => [
      name,
      vault.open(sealed, purpose(endpointId, name.toLowerCase())),
    ]),
  )
}

/** A value goes to the host alone that it was given for: whoever may change the URL must not learn it. */
export function requireValues(
  stored: readonly { name: string }[],
  given: readonly GivenHeader[] | undefined,
): void {
  const kept = given ? given.filter(({ value }) => value === undefined) : stored
  const [first] = kept
  if (first) throw wrongHeader("headers", "headersOfOtherHost", first.name)
}

function wrongHeader(field: string, code: string, name: string): Refusal {
  const fields = { [field]: detail(`webhooks.${code}`, { name }) }
  return new Refusal("invalid_request", detail("webhooks.invalidEndpoint"), { fields })
}

function read(stored: string | null): StoredHeader[] {
  return stored === null ? [] : JSON.parse(stored)
}

/** Binds a value to its endpoint and name. */
function purpose(endpointId: string, name: string): string {
  return `endpoint header ${endpointId} ${name}`
}
