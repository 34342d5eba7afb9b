import { getDomain, parse } from "tldts"
import { parsedUrl, toUnicodeForm } from "../../base/text.ts"
import { memoizePerPassage } from "../../index/lance/passage-cache.ts"
import type { Passage } from "../../reading/formats/document.ts"
import { shownText } from "./shown-text.ts"

/**
 * Whether a text holds an address that is outside the documentation's own site or in none of these passages.
 * Addresses are web and mail addresses, host names, and anything else that a Markdown renderer may link.
 */
export function hasForeignAddress(markdown: string, passages: readonly Passage[]): boolean {
  const displayed = asDisplayed(markdown)
  const addresses = addressesIn(displayed)
  const hosts = hostsIn(displayed)
  if (addresses.length === 0 && hosts.length === 0) return false
  const texts = passages.map(displayedPassage)
  const isInPassages = (address: string) => texts.some((text) => text.includes(address))
  return (
    addresses.some(({ address, host }) => !isInPassages(address) || !isOwn(host, passages)) ||
    !hosts.every(isInPassages)
  )
}

const displayedPassage = memoizePerPassage((passage: Passage) => asDisplayed(shownText(passage)))

/** Blanks addresses, so that their digits and names are not taken for those of the sentence. */
export function withoutAddresses(text: string): string {
  return text.replace(pattern, " ")
}

/**
 * The text as readers and linkifiers see it: compatibility characters are unified (NFKC), and invisible
 * characters, Markdown escapes and emphasis are removed. IDNA reads the ideographic full stop `。` as a dot.
 * Here it becomes a dot only where the result is a host name, because it also ends sentences.
 */
function asDisplayed(markdown: string): string {
  const plain = markdown.replace(characterReference, decodedReference).replace(/\\(?=[!-/:-@[-`{-~])|\*/g, "")
  return toUnicodeForm(plain, "NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(hostLike, (name) => (name.includes("。") ? withDots(name) : name))
}

function withDots(name: string): string {
  const dotted = name.replaceAll("。", ".")
  return isHost(dotted) ? dotted : name
}

/** A character reference of CommonMark. The named ones are limited to characters that occur in addresses. */
const characterReference = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(period|colon|sol|commat|lowbar|hyphen));/gi
const namedCharacters: Record<string, string> = {
  period: ".",
  colon: ":",
  sol: "/",
  commat: "@",
  lowbar: "_",
  hyphen: "-",
}

function decodedReference(whole: string, decimal?: string, hexadecimal?: string, name?: string): string {
  if (name !== undefined) return namedCharacters[name] ?? whole
  const code = decimal === undefined ? Number.parseInt(hexadecimal as string, 16) : Number(decimal)
  return code <= 0x10ffff ? String.fromCodePoint(code) : whole
}

interface Address {
  address: string
  /** Empty for a scheme without a host. */
  host: string
}

function addressesIn(text: string): Address[] {
  return [...text.matchAll(pattern)].map(([found]) => {
    const address = found
      .replace(/^[0-9+.-]+(?=[a-z])/i, "")
      .replace(/(?<![.,;:!?…»*_)\]}'"])[.,;:!?…»*_)\]}'"]+$/, "")
    return { address, host: addressHost(address) }
  })
}

/**
 * Matches a URL with a scheme, one that begins with `//` or `www.`, a mail address, and schemes without
 * slashes such as `javascript:`. Schemes and mail addresses match only from the beginning of a word, and a
 * mail address takes all characters that it may have, so that matching is linear.
 */
const pattern =
  /(?:(?<![a-z0-9+.-])[0-9+.-]*[a-z][a-z0-9+.-]*:\/\/|(?<![\w:/.*-])\/\/(?=[\w-]+\.)|(?<![\w.-])www\.)[^\s<>`"]+|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+[\w.+@-]*|(?<![\w-])(?:javascript|vbscript|data|mailto|tel|file):[^\s<>`"]+/gi

/** Bare host names, which linkifiers recognise by their public suffix alone. */
function hostsIn(text: string): string[] {
  return (text.match(hostLike) ?? []).filter(isHost)
}

const hostLike = /(?<![\p{L}\p{M}\p{N}_.。-])[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*(?:[.。][\p{L}\p{M}\p{N}_-]+)+/gu

function isHost(name: string): boolean {
  const { isIcann, domainWithoutSuffix } = parse(name)
  return isIcann === true && domainWithoutSuffix !== null && /\p{L}/u.test(domainWithoutSuffix)
}

function addressHost(address: string): string {
  const mail = /^[\w.+-]+@([\w.-]+)$/.exec(address)?.[1]
  if (mail) return mail.toLowerCase()
  const whole = /^(?:\/\/|www\.)/i.test(address) ? `https://${address.replace(/^\/\//, "")}` : address
  return parsedUrl(whole)?.hostname ?? ""
}

/** Whether a host has the registered domain of a passage, or is reserved (RFC 2606, RFC 6761) or local. */
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
