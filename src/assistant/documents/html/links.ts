import { type ChildNode, type Element, isTag } from "domhandler"
import { DomUtils } from "htmlparser2"
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

/** Resolves links as a browser does, from the page's address or from the `<base>` that it declares. */
export function htmlLinkTarget(nodes: ChildNode[], pageUrl: string): (href: string) => string | undefined {
  const base = DomUtils.findOne(
    ({ name, attribs }) => name === "base" && !!attribs["href"],
    nodes.filter(isTag),
  )
  const from = (base && linkTarget(base.attribs["href"] as string, pageUrl)) ?? pageUrl
  return (href) => linkTarget(href, from)
}
