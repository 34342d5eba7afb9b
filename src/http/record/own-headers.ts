import { Type } from "@sinclair/typebox"
import { detail, Refusal } from "../../base/errors.ts"
import type { Vault } from "../../db/vault.ts"
import { ruled, told } from "./rule.ts"

/** Headers that an owner has us send to one host: the key of a gateway, the cookie of a protected site. */

export const maxOwnHeaders = 10
/** Name and value of one header together. */
export const maxOwnHeaderBytes = 4096
const maxNameLength = 100

/** A token by RFC 9110 (5.1). */
const name = ruled(Type.String({ pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$", maxLength: maxNameLength }), {
  read: (typed: string) => (/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(typed) ? typed : undefined),
})

/** Visible ASCII, with spaces and tabs between: what else is a byte of a header means different things to many. */
const value = ruled(
  Type.String({ pattern: "^[\\t ]*[\\x21-\\x7e][\\t\\x20-\\x7e]*$", maxLength: maxOwnHeaderBytes }),
  {
    read(typed: string) {
      // Before `trim`, which also removes line breaks: these are refused.
      return (/^[\t\x20-\x7e]+$/.test(typed) && typed.trim()) || undefined
    },
  },
)

/** Headers that Guichet writes itself, or that say where one message ends and the next begins. */
const reserved =
  /^(host|accept|accept-encoding|user-agent|transfer-encoding|connection|expect|te|upgrade|keep-alive|trailer|http2-settings|(webhook|content|proxy)-.*)$/

export const ownHeader = ruled(
  Type.Object({
    name: told(name, "requests.headerName", { max: maxNameLength }),
    value: Type.Optional(told(value, "requests.headerValue")),
  }),
  {
    read(header: GivenHeader, refuse) {
      if (reserved.test(header.name?.toLowerCase() ?? ""))
        refuse("name", detail("requests.reservedHeader", { name: header.name }))
      if ((header.name?.length ?? 0) + (header.value?.length ?? 0) > maxOwnHeaderBytes)
        refuse("value", detail("requests.headerValue"))
      return header
    },
  },
)

export const ownHeaders = told(Type.Array(ownHeader, { maxItems: maxOwnHeaders }), "requests.headers", {
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

/** Whose headers they are: a value that is moved to another row does not open. */
interface Owner {
  /** `endpoint header <id>`. */
  purpose: string
  /** The code of a refusal, which says what was wrong with that of which they are a part. */
  invalid: string
}

/** Throws Refusal `invalid_request` for a name given twice, or without a value new or stored. */
export function sealHeaders(
  vault: Pick<Vault, "seal">,
  { purpose, invalid }: Owner,
  given: readonly GivenHeader[],
  stored: string | null,
): string | null {
  const before = new Map(read(stored).map((header) => [header.name.toLowerCase(), header.sealed]))
  const seen = new Set<string>()
  const headers = given.map(({ name, value }, place): StoredHeader => {
    const key = name.toLowerCase()
    if (seen.has(key)) throw wrongHeader(`headers.${place}.name`, "headerTwice", name, invalid)
    seen.add(key)
    const sealed = value === undefined ? before.get(key) : vault.seal(value, `${purpose} ${key}`)
    if (sealed === undefined) throw wrongHeader(`headers.${place}.value`, "headerWithoutValue", name, invalid)
    return { name, sealed }
  })
  return headers.length === 0 ? null : JSON.stringify(headers)
}

export function headerNames(stored: string | null): { name: string }[] {
  return read(stored).map(({ name }) => ({ name }))
}

export function openHeaders(
  vault: Vault,
  { purpose }: Pick<Owner, "purpose">,
  stored: string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    read(stored).map(({ name, sealed }) => [name, vault.open(sealed, `${purpose} ${name.toLowerCase()}`)]),
  )
}

function wrongHeader(field: string, code: string, name: string, invalid: string): Refusal {
  const reason = detail(`requests.${code}`, { name })
  return new Refusal("invalid_request", detail(invalid), { fields: { [field]: reason }, reason })
}

function read(stored: string | null): StoredHeader[] {
  return stored === null ? [] : JSON.parse(stored)
}
