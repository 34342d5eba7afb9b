import { type ChildNode, DomHandler, type Element, hasChildren, isComment, isTag, isText } from "domhandler"
import { Parser } from "htmlparser2"
import { detail } from "../../base/errors.ts"
import type { LeftOut } from "./document.ts"
import { tooManyTags } from "./page-limits.ts"

/**
 * Deeper than any page means to be: what goes deeper keeps its text and loses its tags, so that every walk
 * may recurse.
 */
const maxDepth = 200
/**
 * By now it is no page that somebody wrote, and each closing tag makes the parser look through all that is
 * open.
 */
const hopelessDepth = 500

/**
 * The nodes of a page, whatever its mark-up, or why there are none. htmlparser2 takes what browsers take,
 * several times faster than a parser that builds the very tree of the standard, and text in reading order
 * does not need that tree.
 */
export function parseTree(html: string, options: { selfClosing: boolean }): ChildNode[] | LeftOut {
  const tooMuch = tooManyTags(html)
  if (tooMuch) return tooMuch
  const handler = new DomHandler()
  let depth = 0
  let isHopeless = false
  const parser = new Parser(
    {
      onparserinit: (self) => handler.onparserinit(self),
      onopentag(name, attributes) {
        depth += 1
        if (depth <= maxDepth) handler.onopentag(name, attributes)
        else if (depth > hopelessDepth) {
          isHopeless = true
          parser.pause()
        }
      },
      onclosetag() {
        if (depth <= maxDepth) handler.onclosetag()
        depth -= 1
      },
      ontext: (text) => handler.ontext(text),
      onend: () => handler.onend(),
    },
    { recognizeSelfClosing: options.selfClosing },
  )
  parser.write(html)
  if (isHopeless) return { leftOut: "unreadable", detail: detail("reading.nestedTooDeep") }
  parser.end()
  return handler.root.children
}

export function isHeading({ name }: Element): boolean {
  return /^h[1-6]$/.test(name)
}

/** In reading order, the elements that are judged so and stand in no other such one. */
export function topmost(nodes: ChildNode[], judge: (element: Element) => boolean): Element[] {
  const found: Element[] = []
  const visit = (node: ChildNode): void => {
    if (!isTag(node)) return
    if (judge(node)) found.push(node)
    else for (const child of node.children) visit(child)
  }
  for (const node of nodes) visit(node)
  return found
}

/**
 * All text of nodes, as it stands. Collected in one list: joined at every level, it would be copied as often
 * as it is nested deep.
 */
export function textOf(nodes: ChildNode[]): string {
  const said: string[] = []
  const visit = (node: ChildNode): void => {
    if (isText(node)) said.push(node.data)
    else if (hasChildren(node) && !isComment(node)) for (const child of node.children) visit(child)
  }
  for (const node of nodes) visit(node)
  return said.join("")
}

/**
 * A judge that remembers: elements stand in each other, and each is asked about again from the one around it.
 */
export function onceEach(judge: (element: Element) => boolean): (element: Element) => boolean {
  const judged = new Map<Element, boolean>()
  return (element) => {
    const known = judged.get(element)
    if (known !== undefined) return known
    const judgement = judge(element)
    judged.set(element, judgement)
    return judgement
  }
}
