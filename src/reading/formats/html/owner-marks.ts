import { type ChildNode, type Element, isComment, isTag, isText } from "domhandler"
import { googleMark } from "./dom.ts"

/** Attributes by which an owner keeps a part of a page from search engines, or from us. */
const attributes: Record<string, ReadonlySet<string>> = {
  "data-guichet": new Set(["ignore"]),
  "data-nosnippet": new Set(["", "true", "data-nosnippet"]),
  "data-pagefind-ignore": new Set(["", "true", "all", "index"]),
  "data-swiftype-index": new Set(["false"]),
}
const classes = /(?:^|\s)(?:robots-nocontent|nosnippet)(?:\s|$)/i

/** Whether the page's owner marked the element as one that is not to be read. */
export function isMarkedByOwner({ name, attribs }: Element): boolean {
  if (name === "noindex" || classes.test(attribs["class"] ?? "")) return true
  return Object.entries(attributes).some(([attribute, values]) => {
    const value = attribs[attribute]
    return value !== undefined && values.has(value.trim().toLowerCase())
  })
}

/**
 * Marks the elements between `<!--googleoff: index-->` and `<!--googleon: index-->` as the owner's, and empties the
 * text there that has no element of its own. The two comments may lie in different elements.
 */
export function markGoogleOff(nodes: ChildNode[]): void {
  const holders = new Set<Element>()
  if (nodes.filter((node) => holdsMark(node, holders)).length === 0) return
  let isOff = false
  const visit = (node: ChildNode): void => {
    const state = markedState(node)
    if (state) isOff = state === "off"
    else if (isText(node)) node.data = isOff ? " " : node.data
    else if (!isTag(node)) return
    else if (isOff && !holders.has(node)) node.attribs["data-guichet"] = "ignore"
    else for (const child of node.children) visit(child)
  }
  for (const node of nodes) visit(node)
}

/** Collects the elements that hold such a comment at any depth. */
function holdsMark(node: ChildNode, holders: Set<Element>): boolean {
  if (!isTag(node)) return markedState(node) !== undefined
  if (node.children.filter((child) => holdsMark(child, holders)).length > 0) holders.add(node)
  return holders.has(node)
}

function markedState(node: ChildNode): string | undefined {
  return isComment(node) ? googleMark.exec(node.data)?.[1]?.toLowerCase() : undefined
}
