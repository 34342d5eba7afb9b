import { type ChildNode, type Element, hasChildren, isComment, isTag, isText } from "domhandler"

/**
 * Text of an element with each run of white space as one space. Text that is longer than any mark or label is
 * replaced by a placeholder, so that a deep page is not copied at every level.
 */
export type ShortText = (element: Element) => string

const maxShortCharacters = 60
const placeholder = "x".repeat(maxShortCharacters + 1)

export function shortTextReader(): ShortText {
  const texts = new Map<Element, string>()
  const visit = (node: ChildNode): string => {
    if (isText(node)) return shortened(node.data)
    if (!hasChildren(node) || isComment(node)) return ""
    return isTag(node) ? element(node) : children(node.children)
  }
  const element = (node: Element): string => {
    const text = texts.get(node) ?? children(node.children)
    texts.set(node, text)
    return text
  }
  const children = (nodes: ChildNode[]): string => {
    let text = ""
    for (const node of nodes) {
      text = shortened(text + visit(node))
      if (text === placeholder) break
    }
    return text
  }
  return element
}

function shortened(text: string): string {
  const collapsed = text.replace(/\s+/g, " ")
  return collapsed.length > maxShortCharacters ? placeholder : collapsed
}
