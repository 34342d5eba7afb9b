import { domainToASCII, domainToUnicode } from "node:url"
import { asTyped, maxEmailLength, toUnicodeForm } from "../../base/text.ts"

/** `nom@domaine.tld`, as browsers check it, and with a domain that may exist. */
export function isEmail(text: string): boolean {
  if (text.length > maxEmailLength) return false
  const [local = "", domain = "", ...more] = text.split("@")
  if (more.length > 0 || local.length > 64) return false
  return /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/.test(local) && isDomain(domain)
}

/**
 * The key that responses are found by, however the address was written. It ignores case and maps what a mail
 * server takes for the same domain: full-width letters, accents as separate characters, and the invisible
 * characters that come along with a copied address.
 */
export function addressKey(address: string): string {
  if (address.length > maxTypedAddress) return address
  const lowerCase = toUnicodeForm(asTyped(address), "NFC").trim().toLowerCase()
  const at = lowerCase.lastIndexOf("@") + 1
  if (at === 0 || lowerCase.length > maxEmailLength) return lowerCase
  return lowerCase.slice(0, at) + (domainToUnicode(domainToASCII(lowerCase.slice(at))) || lowerCase.slice(at))
}

/** Its `addressKey`, or its lower-cased text in rows from before that key existed. */
export function addressKeys(address: string): string[] {
  return [addressKey(address), address.trim().toLowerCase()]
}

/** Longest text taken for an address: copied blanks, invisible characters and separate accents included. */
const maxTypedAddress = 4 * maxEmailLength

export function isDomain(domain: string): boolean {
  const ascii = domainToASCII(domain)
  const labels = ascii.split(".")
  return (
    ascii.length <= 253 &&
    labels.length > 1 &&
    labels.every((label) => label.length <= 63 && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label)) &&
    /^[a-z]./.test(labels.at(-1) as string) &&
    !/[\s/:?#@[\]%\\]/.test(domain)
  )
}
