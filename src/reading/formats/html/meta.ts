import type { ChildNode } from "domhandler"
import { DomUtils } from "htmlparser2"

/** The contents of the page's `meta` elements of a name or property. */
export function metaContents(nodes: ChildNode[], name: RegExp): string[] {
  return metas(nodes)
    .filter(({ attribs }) => name.test(attribs["name"] ?? attribs["property"] ?? ""))
    .map(({ attribs }) => attribs["content"]?.trim() ?? "")
}

/** A page that leads on later than this is read by its visitors first. */
const maxSeconds = 15

/** The address to which the page sends its readers by itself, as written. */
export function refreshTarget(nodes: ChildNode[]): string | undefined {
  for (const { attribs } of metas(nodes)) {
    if (!/^refresh$/i.test(attribs["http-equiv"]?.trim() ?? "")) continue
    const content = (attribs["content"] ?? "").slice(0, 3000)
    const [, seconds, target] = /^\s*(\d{1,6})[\d.]*\s*[;,]?\s*(?:url\s*=\s*)?(\S.*)?$/is.exec(content) ?? []
    const address = target?.trim().replace(/^(["'])(.*)\1$/s, "$2")
    if (address && Number(seconds) <= maxSeconds) return address
  }
  return undefined
}

function metas(nodes: ChildNode[]) {
  return DomUtils.findAll(({ name }) => name === "meta", nodes)
}
