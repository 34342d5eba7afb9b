import { getDomain, parse } from "tldts"
import { normalised, parsedUrl } from "../../base/text.ts"
import type { Passage } from "../documents/document.ts"
import { oncePerPassage } from "../index/hot-passages.ts"
import { shownText } from "./shown-text.ts"

/**
 * Whether a text holds an address that is not of the documentation's own site, or that no passage of these
 * has: web and mail addresses, names of hosts, and whatever else a reader of Markdown makes a link of.
 */
export function hasForeignAddress(markdown: string, passages: readonly Passage[]): boolean {
  const read = asRead(markdown)
  const addresses = addressesOf(read)
  const hosts = hostsIn(read)
  if (addresses.length === 0 && hosts.length === 0) return false
  const texts = passages.map(readPassage)
  const isStanding = (address: string) => texts.some((text) => text.includes(address))
  return (
    addresses.some(({ address, host }) => !isStanding(address) || !isOwn(host, passages)) ||
    !hosts.every(isStanding)
  )
}

const readPassage = oncePerPassage((passage: Passage) => asRead(shownText(passage)))

/** For whoever looks for something else. */
export function withoutAddresses(text: string): string {
  return text.replace(pattern, " ")
}

/**
 * A text as its readers, and the programs that make links of it, read it: letters and signs that only look
 * different are one, what nobody sees is gone, and so is Markdown's own writing. IDNA takes the full stop of
 * Chinese and Japanese for a dot; between two sentences of them it is none, since no domain ends in what
 * follows.
 */
function asRead(markdown: string): string {
  const plain = markdown.replace(characterReference, referred).replace(/\\(?=[!-/:-@[-`{-~])|\*/g, "")
  return normalised(plain, "NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(hostLike, (name) => (name.includes("。") ? withDots(name) : name))
}

function withDots(name: string): string {
  const dotted = name.replaceAll("。", ".")
  return isHost(dotted) ? dotted : name
}

/** As CommonMark has it, with the named signs of an address. */
const characterReference = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(period|colon|sol|commat|lowbar|hyphen));/gi
const namedSigns: Record<string, string> = {
  period: ".",
  colon: ":",
  sol: "/",
  commat: "@",
  lowbar: "_",
  hyphen: "-",
}

function referred(whole: string, decimal?: string, hexadecimal?: string, name?: string): string {
  if (name !== undefined) return namedSigns[name] ?? whole
  const code = decimal === undefined ? Number.parseInt(hexadecimal as string, 16) : Number(decimal)
  return code <= 0x10ffff ? String.fromCodePoint(code) : whole
}

interface Found {
  address: string
  /** Empty for a scheme that has none. */
  host: string
}

function addressesOf(text: string): Found[] {
  return [...text.matchAll(pattern)].map(([found]) => {
    const address = found
      .replace(/^[0-9+.-]+(?=[a-z])/i, "")
      .replace(/(?<![.,;:!?…»*_)\]}'"])[.,;:!?…»*_)\]}'"]+$/, "")
    return { address, host: hostOf(address) }
  })
}

/**
 * With a scheme, without one before slashes or `www.`, a mail address, a scheme that acts. A scheme and a
 * mail address are looked for from where a word begins, and a mail address reaches as far as its characters
 * do: no word is read twice.
 */
const pattern =
  /(?:(?<![a-z0-9+.-])[0-9+.-]*[a-z][a-z0-9+.-]*:\/\/|(?<![\w:/.*-])\/\/(?=[\w-]+\.)|(?<![\w.-])www\.)[^\s<>`"]+|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+[\w.+@-]*|(?<![\w-])(?:javascript|vbscript|data|mailto|tel|file):[^\s<>`"]+/gi

/** What nothing before it says is an address: programs make a link of it by its ending alone. */
function hostsIn(text: string): string[] {
  return (text.match(hostLike) ?? []).filter(isHost)
}

const hostLike = /(?<![\p{L}\p{M}\p{N}_.。-])[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*(?:[.。][\p{L}\p{M}\p{N}_-]+)+/gu

function isHost(name: string): boolean {
  const { isIcann, domainWithoutSuffix } = parse(name)
  return isIcann === true && domainWithoutSuffix !== null && /\p{L}/u.test(domainWithoutSuffix)
}

function hostOf(address: string): string {
  const mail = /^[\w.+-]+@([\w.-]+)$/.exec(address)?.[1]
  if (mail) return mail.toLowerCase()
  const whole = /^(?:\/\/|www\.)/i.test(address) ? `https://${address.replace(/^\/\//, "")}` : address
  return parsedUrl(whole)?.hostname ?? ""
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
