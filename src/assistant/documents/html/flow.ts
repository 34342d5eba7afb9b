import { type ChildNode, type Element, isTag, isText } from "domhandler"
import { DomUtils } from "htmlparser2"
import { pageLimits } from "../page-limits.ts"
import { codeBlock } from "./code-block.ts"
import { type ElementTest, isHeading, memoized } from "./dom.ts"
import { escapeBlockStarts, inlineMarkdown, isPhrasing, plainText } from "./inline.ts"
import { isLayoutTable, maxRepeatedCharacters, type RepeatBudget, tableMarkdown } from "./table.ts"

/** A heading, or a block of simple Markdown. */
export type FlowItem =
  | { kind: "heading"; level: number; text: string; anchor: string | null }
  | { kind: "block"; markdown: string }

const blockTags = new Set(
  `p div section article main header ul ol li dl dt dd table pre blockquote details summary figure h1 h2 h3 h4 h5 h6
   figcaption hr center fieldset aside body html address`.split(/\s+/),
)

/** The text of the nodes in reading order, without skipped elements. */
export function readFlow(nodes: ChildNode[], isSkipped: ElementTest): FlowItem[] {
  const repeats = { charactersLeft: maxRepeatedCharacters }
  return flow(nodes, { isSkipped, isBlock: blockTest(), isCaption: captionTest(), repeats, columns: 0 })
}

interface FlowContext {
  isSkipped: ElementTest
  isBlock: ElementTest
  isCaption: ElementTest
  repeats: RepeatBudget
  /** Columns of indentation that the enclosing lists and quotes add to each line. */
  columns: number
}

/**
 * Deeper lists and quotes lose their marks and keep their content: the indentation alone would make each line
 * long.
 */
const maxColumns = 16

function flow(nodes: ChildNode[], context: FlowContext): FlowItem[] {
  const { isSkipped } = context
  const items: FlowItem[] = []
  /** The id of an element without text that stands just before the next block. */
  let pendingId: string | null = null
  let inlineNodes: ChildNode[] = []

  walk(nodes)
  return items

  function walk(children: ChildNode[]): void {
    for (const node of children) {
      if (isTag(node) && context.isBlock(node)) {
        endParagraph()
        if (!isSkipped(node) && !context.isCaption(node)) block(node)
      } else if (isText(node) || isTag(node)) inlineNodes.push(node)
    }
    endParagraph()
  }

  function block(element: Element): void {
    const id = idOf(element)
    if (isHeading(element)) heading(element)
    else {
      if (id) pendingId = id
      const markdown = blockMarkdown(element, context)
      if (markdown !== undefined) addBlock(markdown)
      else walk(element.children)
    }
  }

  function heading(element: Element): void {
    const text = withoutNoteMarks(plainText(element.children, isSkipped))
    if (text === "") return
    // A heading of this length is a paragraph, and each passage below would repeat it.
    if (text.length > pageLimits.headingCharacters) {
      walk(element.children)
      return
    }
    const inner = DomUtils.findOne((child) => idOf(child) !== null, element.children)
    const link = DomUtils.findOne(isFragmentLink, [...element.children, ...nextFragmentLink(element)])
    const anchor =
      element.attribs["id"] ||
      (inner && idOf(inner)) ||
      pendingId ||
      element.attribs["data-slug"] ||
      (link ? decodedFragment((link.attribs["href"] as string).slice(1)) : null)
    pendingId = null
    const isName = anchor !== null && anchor.length <= pageLimits.anchorCharacters
    items.push({ kind: "heading", level: Number(element.name[1]), text, anchor: isName ? anchor : null })
  }

  function endParagraph(): void {
    const nodes = inlineNodes
    inlineNodes = []
    if (nodes.length === 0) return
    const text = inlineMarkdown(nodes, isSkipped)
    const target = DomUtils.findOne((element) => idOf(element) !== null, nodes)
    if (text !== "" && !isOnlyLink(nodes)) addBlock(escapeBlockStarts(text))
    else if (target) pendingId = idOf(target)
  }

  function addBlock(markdown: string): void {
    if (markdown === "") return
    pendingId = null
    items.push({ kind: "block", markdown })
  }
}

/** The Markdown of an element that is one block, or undefined for an element that only holds other blocks. */
function blockMarkdown(element: Element, context: FlowContext): string | undefined {
  const { isSkipped, repeats, columns } = context
  switch (element.name) {
    case "pre":
      return codeBlock(element, isSkipped)
    case "ul":
    case "ol":
      return columns < maxColumns ? list(element, context) : undefined
    case "table":
      return isLayoutTable(element) ? undefined : tableMarkdown(element, isSkipped, repeats)
    case "blockquote":
      return columns < maxColumns ? quote(nestedMarkdown(element, context, quoteColumns)) : undefined
    case "summary":
    case "dt":
      return bold(inlineMarkdown(element.children, isSkipped).replace(/\n+/g, " "))
    default:
      return undefined
  }
}

/** Asterisks at the end of a heading refer to notes at the bottom of the page. */
function withoutNoteMarks(text: string): string {
  let end = text.length
  while (text[end - 1] === "*") end--
  return end === text.length ? text : text.slice(0, end).trimEnd()
}

/** The caption of a picture or a video says nothing without it; that of code or a table names it. */
function captionTest(): ElementTest {
  const holdsText = memoized(({ children }) =>
    children.some((child) => isTag(child) && captioned.has(child.name)),
  )
  return ({ name, parent }) => name === "figcaption" && parent !== null && isTag(parent) && !holdsText(parent)
}

const captioned = new Set(["pre", "table", "blockquote", "p", "ul", "ol", "div"])

function idOf({ name, attribs }: Element): string | null {
  return attribs["id"] || (name === "a" && attribs["name"]) || null
}

/** GitHub puts the link to a heading beside it, and its id is nowhere on the page. */
function isFragmentLink({ name, attribs }: Element): boolean {
  return name === "a" && /^#./.test(attribs["href"] ?? "")
}

function nextFragmentLink({ next }: Element): ChildNode[] {
  return next && isTag(next) && isFragmentLink(next) ? [next] : []
}

function decodedFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

function blockTest(): ElementTest {
  const isBlock = memoized(({ name, children }) => {
    if (blockTags.has(name)) return true
    if (children.length === 0) return false
    // Components and unknown elements count as block or inline by their content.
    return children.some((child) => isTag(child) && isBlock(child)) || !isPhrasing(name)
  })
  return isBlock
}

/** Marks the link to a video or a file that the page shows at this place. */
export const embedAttribute = "data-embed"

/** A paragraph that is only a link ("Try it", "Edit") says nothing without the link. */
function isOnlyLink(nodes: ChildNode[]): boolean {
  const visible = nodes.filter((node) => !isText(node) || node.data.trim() !== "")
  return (
    visible.length > 0 &&
    visible.every((node) => isTag(node) && node.name === "a" && node.attribs[embedAttribute] === undefined)
  )
}

/** A quote counts as twice its two columns, so that quotes nest at most four deep. */
const quoteColumns = 4

/** The content of a list item or a quote, whose lines will be indented by `columns`. */
function nestedMarkdown(element: Element, context: FlowContext, columns: number): string {
  return flow(element.children, { ...context, columns: context.columns + columns })
    .map((item) => (item.kind === "heading" ? bold(escapeBlockStarts(item.text)) : item.markdown))
    .join("\n\n")
}

/** The highest number of a list item in CommonMark: nine digits. */
const maxItemNumber = 999_999_999

function list(element: Element, context: FlowContext): string {
  const start = Number(element.attribs["start"] ?? 1) || 1
  let number = Math.abs(start) <= maxItemNumber ? start : 1
  const items: string[] = []
  for (const item of element.children) {
    if (!isTag(item) || context.isSkipped(item)) continue
    const mark = element.name === "ol" ? `${number}. ` : "- "
    const text =
      nestedMarkdown(item, context, mark.length) || inlineMarkdown(item.children, context.isSkipped)
    if (text === "") continue
    number++
    items.push(mark + text.replaceAll("\n", `\n${" ".repeat(mark.length)}`).replace(/^ +$/gm, ""))
  }
  return items.join("\n")
}

function quote(text: string): string {
  const body = text.replace(/^\\?\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*/, "")
  return body === "" ? "" : body.replace(/^/gm, "> ").replace(/^> $/gm, ">")
}

function bold(text: string): string {
  return text && (text.includes("**") ? text : `**${text}**`)
}
