import { type ChildNode, DomHandler, type Element, hasChildren, isComment, isTag, isText } from "domhandler"
import { Parser } from "htmlparser2"
import { detail } from "../../../base/errors.ts"
import type { LeftOut } from "../document.ts"
import { tooManyTags } from "../page-limits.ts"

/** The owner's mark where search engines stop, or begin again; `anchor` is about links alone. */
export const googleMark = /^\s*google(on|off)\s*:\s*(?:index|snippet|all)\b/i

/** A yes-or-no question about one element. */
export type ElementTest = (element: Element) => boolean

/**
 * Deeper elements keep their text and lose their tags, so that every walk over the nodes may recurse. No page
 * is meant to nest that deep.
 */
const maxDepth = 200
/**
 * A page that nests this deep is left out: no author wrote it, and each closing tag makes the parser look through
 * all open elements.
 */
const abandonDepth = 500

/**
 * The nodes of a page, whatever its mark-up, or the reason why there are none. htmlparser2 accepts what
 * browsers accept. It does not build the exact tree of the HTML standard, and text in reading order does not
 * need it.
 */
export function parseDom(html: string, options: { selfClosing: boolean }): ChildNode[] | LeftOut {
  const tooLarge = tooManyTags(html)
  if (tooLarge) return tooLarge
  const handler = new DomHandler()
  let depth = 0
  let isAbandoned = false
  const parser = new Parser(
    {
      onparserinit: (self) => handler.onparserinit(self),
      onopentag(name, attributes) {
        depth += 1
        if (depth <= maxDepth) handler.onopentag(name, attributes)
        else if (depth > abandonDepth) {
          isAbandoned = true
          parser.pause()
        }
      },
      onclosetag() {
        if (depth <= maxDepth) handler.onclosetag()
        depth -= 1
      },
      ontext: (text) => handler.ontext(text),
      // Other comments are ignored.
      oncomment(text) {
        if (depth > maxDepth || !googleMark.test(text.slice(0, 100))) return
        handler.oncomment(text)
        handler.oncommentend()
      },
      onend: () => handler.onend(),
    },
    { recognizeSelfClosing: options.selfClosing },
  )
  parser.write(html)
  if (isAbandoned) return { leftOut: "unreadable", detail: detail("reading.nestedTooDeep") }
  parser.end()
  return handler.root.children
}

export function isHeading({ name }: Element): boolean {
  return /^h[1-6]$/.test(name)
}

export function hasClass({ attribs }: Element, names: ReadonlySet<string>): boolean {
  return attribs["class"]?.split(/\s+/).some((name) => names.has(name)) ?? false
}

export function hasAncestor({ parent }: Element, test: ElementTest): boolean {
  for (let node = parent; node; node = node.parent) if (isTag(node) && test(node)) return true
  return false
}

/** Elements that meet the test and stand in no other such element, in reading order. */
export function topmost(nodes: ChildNode[], test: ElementTest): Element[] {
  const matches: Element[] = []
  const visit = (node: ChildNode): void => {
    if (!isTag(node)) return
    if (test(node)) matches.push(node)
    else for (const child of node.children) visit(child)
  }
  for (const node of nodes) visit(node)
  return matches
}

/**
 * All text of the nodes, unchanged. It is collected in one list: text that is joined at every level is copied
 * as often as it is nested deep.
 */
export function textContent(nodes: ChildNode[]): string {
  const texts: string[] = []
  const visit = (node: ChildNode): void => {
    if (isText(node)) texts.push(node.data)
    else if (hasChildren(node) && !isComment(node)) for (const child of node.children) visit(child)
  }
  for (const node of nodes) visit(node)
  return texts.join("")
}

/** The same test, run once for each element: walks ask about an element again from each of its ancestors. */
export function memoized(test: ElementTest): ElementTest {
  const results = new Map<Element, boolean>()
  return (element) => {
    const seen = results.get(element)
    if (seen !== undefined) return seen
    const result = test(element)
    results.set(element, result)
    return result
  }
}

/** A set of the words of a text. */
export function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/))
}
