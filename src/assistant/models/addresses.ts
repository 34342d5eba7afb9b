import { getDomain } from "tldts"
import { parsedUrl } from "../../text.ts"
import type { Passage } from "../documents/document.ts"

/**
 * Whether a text holds an address that is not of the documentation's own site, or that no passage of these has: web and mail
 * addresses, and whatever else a reader of Markdown makes a link of.
 */
export function hasForeignAddress(markdown: string, passages: readonly Passage[]): boolean {
  return addressesOf(markdown).some(
    ({ address, host }) => !isStanding(address, passages) || !isOwn(host, passages),
  )
}

/** For whoever looks for something else. */
export function withoutAddresses(text: string): string {
  return text.replace(pattern, " ")
}

interface Found {
  address: string
  /** Empty for a scheme that has none. */
  host: string
}

function addressesOf(text: string): Found[] {
  return [...text.matchAll(pattern)].map(([address]) => ({
    address: address.replace(/[.,;:!?…»*_)\]}'"]+$/u, ""),
    host: hostOf(address),
  }))
}

/** With a scheme, without one before slashes or `www.`, a mail address, a scheme that acts. */
const pattern =
  /(?:[a-z][a-z0-9+.-]*:\/\/|(?<![\w:/.*-])\/\/(?=[\w-]+\.)|(?<![\w.-])www\.)[^\s<>`"]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?<![\w-])(?:javascript|vbscript|data|mailto|tel|file):[^\s<>`"]+/gi

function hostOf(address: string): string {
  const mail = /^[\w.+-]+@([\w.-]+)$/.exec(address)?.[1]
  if (mail) return mail.toLowerCase()
  const whole = /^(?:\/\/|www\.)/i.test(address) ? `https://${address.replace(/^\/\//, "")}` : address
  return parsedUrl(whole)?.hostname ?? ""
}

function isStanding(address: string, passages: readonly Passage[]): boolean {
  return passages.some(({ markdown }) => markdown.includes(address))
}

/** Of the same registered domain as a passage, or a name that leads nobody anywhere (RFC 2606, RFC 6761). */
function isOwn(host: string, passages: readonly Passage[]): boolean {
  if (host === "") return false
  if (
    /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$|(?:^|\.)(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)$/.test(
      host,
    )
  )
    return true
  return passages.some(({ url }) => {
    const own = URL.parse(url)?.hostname
    return (
      own !== undefined && (host === own || (getDomain(host) !== null && getDomain(host) === getDomain(own)))
    )
  })
}
