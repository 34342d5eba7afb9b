import { domainToUnicode } from "node:url"
import { parse } from "tldts"
import { maxUrlLength } from "../base/text.ts"

/** The rule that an address breaks (specification, part 4: "Accepted webhook addresses"). */
export type AddressRule =
  | "unreadable"
  | "too_long"
  | "https"
  | "credentials"
  | "fragment"
  | "port"
  | "ip"
  | "name"
  | "internal"
  | "own"

export interface AcceptedAddress {
  /** The address that is stored: the name normalised, without port, then `path`. */
  href: string
  /** ASCII, lower case. */
  host: string
  /** With the query, as it was written and goes out: a parser would resolve `/a/../b` and decode `%2e`. */
  path: string
}

const maxNameLength = 253
/** Letters, digits and hyphens: certificates and resolvers accept nothing else. */
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
/** IDNA 2008 allows no symbols: a fraction slash or an emoji only imitates another character. */
const readableName = /^[\p{L}\p{M}\p{N}.\u00b7\u30fb-]+$/u
/** Suffixes of the public list that lead inwards, or that the public network does not serve. */
const inwardSuffixes = ["arpa", "onion", "ipv6-literal.net"]
/** These are no public suffixes and would be refused anyway: the list lets the refusal say why. */
const internalSuffixes = ["localhost", "local", "internal", "localdomain", "intranet", "lan", "corp", "home"]

/** Characters that no target of a request may hold (RFC 3986); browsers encode them too. */
const unsendable = /[^\x21-\x7e]|["<>^`{|}]/gu

/**
 * Judges the text of a webhook address before any name is resolved, and before a URL parser reads it. A
 * parser drops tabs, swaps slashes, folds look-alikes and takes `0x7f.1` for 127.0.0.1, but the service must
 * call the very address that an owner reads in the list of endpoints. `ownHost` is the host of this service,
 * which must not call itself.
 */
export function checkAddress(text: string, ownHost: string): AcceptedAddress | { refused: AddressRule } {
  if (text.length > maxUrlLength) return { refused: "too_long" }
  // Characters that do not print: white space, control, format, private-use and unassigned ones.
  if (text === "" || /[\p{Z}\p{C}\\]/u.test(text)) return { refused: "unreadable" }
  const [, authority, rest = ""] = /^https:\/\/([^/?#]*)(.*)/i.exec(text) ?? []
  if (authority === undefined) return { refused: "https" }
  if (authority.includes("@")) return { refused: "credentials" }
  if (rest.includes("#")) return { refused: "fragment" }
  if (/[[\]]/.test(authority)) return { refused: "ip" }
  const [, name = "", port] = /^([^:]*)(?::(.*))?$/.exec(authority) ?? []
  if (port !== undefined && port !== "443") return { refused: "port" }
  return checkName(name, rest, ownHost)
}

function checkName(name: string, rest: string, ownHost: string): AcceptedAddress | { refused: AddressRule } {
  if (endsInNumber(name)) return { refused: "ip" }
  const url = URL.parse(`https://${name}${rest}`)
  if (!url || name === "") return { refused: "name" }
  const host = url.hostname
  if (endsInNumber(host)) return { refused: "ip" }
  const labels = host.split(".")
  if (!isAsWritten(name.split("."), labels)) return { refused: "name" }
  if (host.length > maxNameLength || !labels.every((part) => label.test(part))) return { refused: "name" }
  if (!readableName.test(domainToUnicode(host))) return { refused: "name" }
  if (isUnder(host, internalSuffixes) || isUnder(host, inwardSuffixes)) return { refused: "internal" }
  const { isIcann, domain } = parse(host, { allowPrivateDomains: false })
  if (!isIcann || domain === null) return { refused: labels.length > 1 ? "name" : "internal" }
  if (host === ownHost) return { refused: "own" }
  const path = (rest.startsWith("/") ? "" : "/") + rest.replace(unsendable, encodeURIComponent)
  return { href: `https://${host}${path}`, host, path }
}

/** The URL standard parses such a name as an IPv4 address, valid or not ("ends in a number"). */
function endsInNumber(name: string): boolean {
  return /(^|\.)(\d+|0x[0-9a-f]*)\.?$/i.test(name)
}

/** False for a name that IDNA mapping rewrites (full width, ligatures, combining letters): it hides another. */
function isAsWritten(written: readonly string[], mapped: readonly string[]): boolean {
  return (
    written.length === mapped.length &&
    written.every((part, index) => {
      const ascii = mapped[index] as string
      if (/^[\x21-\x7e]*$/.test(part)) return part.toLowerCase() === ascii
      const isComposed = part === part.normalize("NFC")
      return isComposed && ascii.startsWith("xn--") && part.toLowerCase() === domainToUnicode(ascii)
    })
  )
}

function isUnder(host: string, suffixes: readonly string[]): boolean {
  return suffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`))
}
