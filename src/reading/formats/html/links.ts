import { type ChildNode, type Element, isTag } from "domhandler"
import { DomUtils } from "htmlparser2"
import { decodedUri } from "../../../base/text.ts"
import { linkTarget } from "../link.ts"
import { pageLimits } from "../page-limits.ts"

/** The parser writes attributes of a page in lower case, so no page can set this one. */
const attribute = "linkTarget"

/**
 * Notes at each link of a page where it leads: `targetOf(href)`, if that is an address to keep. Links beyond
 * `pageLimits.linkCharacters` stay text: a page of short links may have a long address itself.
 */
export function noteLinkTargets(nodes: ChildNode[], targetOf: (href: string) => string | undefined): void {
  let charactersLeft = pageLimits.linkCharacters
  for (const { attribs } of DomUtils.findAll(({ name }) => name === "a", nodes)) {
    const target = attribs["href"] === undefined ? undefined : targetOf(attribs["href"])
    if (target === undefined || target.length > charactersLeft) continue
    charactersLeft -= target.length
    attribs[attribute] = target
  }
}

/** The address that was noted; undefined for an element that is to be read as text. */
export function notedTarget({ attribs }: Element): string | undefined {
  return attribs[attribute]
}

/** The address of `mailto:` or the number of `tel:` to which a link leads. */
export function contactAddress({ attribs: { href = "" } }: Element): string | undefined {
  const [, scheme = "", target = ""] = /^\s{0,9}(mailto|tel):([^?\s]{2,254})/i.exec(href) ?? []
  const contact = decodedUri(target)
  const isContact = scheme.toLowerCase() === "mailto" ? /^[^\s@<>]+@[^\s@<>]+$/ : /^[+(]?\d[\d() .-]{1,30}$/
  return isContact.test(contact) ? contact : undefined
}

/** The contact as it is added to the words of its link, « Écrivez-nous » or « Appelez »; empty where they say it. */
export function contactText(contact: string, words: string): string {
  if (contact.includes("@")) return words.toLowerCase().includes(contact.toLowerCase()) ? "" : contact
  const digits = contact.replace(/\D/g, "").slice(-subscriberDigits)
  return words.replace(/\D/g, "").endsWith(digits) ? "" : asPhoneNumber(contact)
}

/** The digits of a number that are the same with and without the country's. */
const subscriberDigits = 9

/** A French number in pairs, as people read it; any other as the page writes it. */
function asPhoneNumber(contact: string): string {
  const national = /^(?:\+33|0033|0)([1-9]\d{8})$/.exec(contact.replace(/\(0\)|[\s.-]/g, ""))?.[1]
  return national === undefined ? contact : `0${national}`.replace(/\d\d(?=\d)/g, "$& ")
}

/** Resolves links as a browser does, from the page's address or from the `<base>` that it declares. */
export function htmlLinkTarget(nodes: ChildNode[], pageUrl: string): (href: string) => string | undefined {
  const base = DomUtils.findOne(
    ({ name, attribs }) => name === "base" && !!attribs["href"],
    nodes.filter(isTag),
  )
  const from = (base && linkTarget(base.attribs["href"] as string, pageUrl)) ?? pageUrl
  return (href) => linkTarget(href, from)
}
