import { type ChildNode, type Element, isTag, isText } from "domhandler"
import { DomUtils } from "htmlparser2"
import type { Clutter } from "./clutter.ts"
import { fence } from "./fence.ts"
import { pageLimits } from "./page-limits.ts"
import { guarded, isPhrasing, plain, prose } from "./prose.ts"
import { isLayout, mostRepeated, type Repeats, table } from "./table.ts"
import { isHeading, onceEach } from "./tree.ts"

/** A page in reading order: headings, and blocks of simple Markdown between them. */
export type Piece =
  | { kind: "heading"; level: number; text: string; anchor: string | null }
  | { kind: "block"; markdown: string }

const blocks = new Set(
  `p div section article main header ul ol li dl dt dd table pre blockquote details summary figure h1 h2 h3 h4 h5 h6
   hr center fieldset aside body html address`.split(/\s+/),
)

/** What the nodes of a page say, without its clutter. */
export function readFlow(nodes: ChildNode[], clutter: Clutter): Piece[] {
  return flow(nodes, { clutter, isBlock: blockJudge(), repeats: { left: mostRepeated }, columns: 0 })
}

interface Page {
  clutter: Clutter
  isBlock: (element: Element) => boolean
  repeats: Repeats
  /** Columns by which the lists and quotes around indent what they hold. */
  columns: number
}

/**
 * Lists and quotes within more indentation are read as what they hold: each line would be long by its place
 * alone.
 */
const maxColumns = 16

function flow(nodes: ChildNode[], page: Page): Piece[] {
  const { clutter } = page
  const pieces: Piece[] = []
  /** An id on something without text of its own, standing just before what comes next. */
  let waitingId: string | null = null
  let line: ChildNode[] = []

  walk(nodes)
  return pieces

  function walk(children: ChildNode[]): void {
    for (const node of children) {
      if (isTag(node) && page.isBlock(node)) {
        endLine()
        if (!clutter(node)) block(node)
      } else if (isText(node) || isTag(node)) line.push(node)
    }
    endLine()
  }

  function block(element: Element): void {
    const id = idOf(element)
    if (isHeading(element)) heading(element)
    else {
      if (id) waitingId = id
      const whole = wholeBlock(element, page)
      if (whole !== undefined) say(whole)
      else walk(element.children)
    }
  }

  function heading(element: Element): void {
    const text = withoutNoteMarks(plain(element.children, clutter))
    if (text === "") return
    // It would be said again with each passage below: nobody heads a section with a paragraph.
    if (text.length > pageLimits.headingCharacters) {
      walk(element.children)
      return
    }
    const inner = DomUtils.findOne((child) => idOf(child) !== null, element.children)
    const link = DomUtils.findOne(isFragmentLink, [...element.children, ...followers(element)])
    const anchor =
      element.attribs["id"] ||
      (inner && idOf(inner)) ||
      waitingId ||
      element.attribs["data-slug"] ||
      (link ? decoded((link.attribs["href"] as string).slice(1)) : null)
    waitingId = null
    const isName = anchor !== null && anchor.length <= pageLimits.anchorCharacters
    pieces.push({ kind: "heading", level: Number(element.name[1]), text, anchor: isName ? anchor : null })
  }

  function endLine(): void {
    const nodes = line
    line = []
    if (nodes.length === 0) return
    const text = prose(nodes, clutter)
    const target = DomUtils.findOne((element) => idOf(element) !== null, nodes)
    if (text !== "" && !isOnlyLink(nodes)) say(guarded(text))
    else if (target) waitingId = idOf(target)
  }

  function say(markdown: string): void {
    if (markdown === "") return
    waitingId = null
    pieces.push({ kind: "block", markdown })
  }
}

/** The Markdown of an element that is one block, or undefined for one that only holds others. */
function wholeBlock(element: Element, page: Page): string | undefined {
  const { clutter, repeats, columns } = page
  switch (element.name) {
    case "pre":
      return fence(element, clutter)
    case "ul":
    case "ol":
      return columns < maxColumns ? list(element, page) : undefined
    case "table":
      return isLayout(element) ? undefined : table(element, clutter, repeats)
    case "blockquote":
      return columns < maxColumns ? quote(inside(element, page, quoteColumns)) : undefined
    case "summary":
    case "dt":
      return bold(prose(element.children, clutter).replace(/\n+/g, " "))
    default:
      return undefined
  }
}

/** A heading ends in asterisks where notes below the page explain them. */
function withoutNoteMarks(text: string): string {
  let end = text.length
  while (text[end - 1] === "*") end--
  return end === text.length ? text : text.slice(0, end).trimEnd()
}

function idOf({ name, attribs }: Element): string | null {
  return attribs["id"] || (name === "a" && attribs["name"]) || null
}

/** GitHub hangs the link to a heading beside it, and the id that it names is nowhere on the page. */
function isFragmentLink({ name, attribs }: Element): boolean {
  return name === "a" && /^#./.test(attribs["href"] ?? "")
}

function followers({ next }: Element): ChildNode[] {
  return next && isTag(next) && isFragmentLink(next) ? [next] : []
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

function blockJudge(): (element: Element) => boolean {
  const isBlock = onceEach(({ name, children }) => {
    if (blocks.has(name)) return true
    if (children.length === 0) return false
    // Components and odd elements count as what they hold.
    return children.some((child) => isTag(child) && isBlock(child)) || !isPhrasing(name)
  })
  return isBlock
}

/** A paragraph that is nothing but a link ("Try it", "Edit") says nothing once the link is gone. */
function isOnlyLink(nodes: ChildNode[]): boolean {
  const told = nodes.filter((node) => !isText(node) || node.data.trim() !== "")
  return told.length > 0 && told.every((node) => isTag(node) && node.name === "a")
}

/** A quote counts double: nobody quotes five deep. */
const quoteColumns = 4

/** What an element holds, each of its lines to stand that much deeper. */
function inside(element: Element, page: Page, columns: number): string {
  return flow(element.children, { ...page, columns: page.columns + columns })
    .map((piece) => (piece.kind === "heading" ? bold(guarded(piece.text)) : piece.markdown))
    .join("\n\n")
}

/** CommonMark numbers no item higher. */
const highestNumber = 999_999_999

function list(element: Element, page: Page): string {
  const start = Number(element.attribs["start"] ?? 1) || 1
  let number = Math.abs(start) <= highestNumber ? start : 1
  const items: string[] = []
  for (const item of element.children) {
    if (!isTag(item) || page.clutter(item)) continue
    const mark = element.name === "ol" ? `${number}. ` : "- "
    const text = inside(item, page, mark.length) || prose(item.children, page.clutter)
    if (text === "") continue
    number++
    items.push(mark + text.replaceAll("\n", `\n${" ".repeat(mark.length)}`).replace(/^ +$/gm, ""))
  }
  return items.join("\n")
}

function quote(text: string): string {
  const said = text.replace(/^\\?\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*/, "")
  return said === "" ? "" : said.replace(/^/gm, "> ").replace(/^> $/gm, ">")
}

function bold(text: string): string {
  return text && (text.includes("**") ? text : `**${text}**`)
}
