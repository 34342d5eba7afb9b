import { type ChildNode, type Element, isTag, isText } from "domhandler"
import { DomUtils } from "htmlparser2"
import type { Clutter } from "./clutter.ts"
import { isPhrasing, longestRun, plain, prose, verbatim } from "./prose.ts"

/** A page in reading order: headings, and blocks of simple Markdown between them. */
export type Piece =
  | { kind: "heading"; level: number; text: string; anchor: string | null }
  | { kind: "block"; markdown: string }

const blocks = new Set(
  `p div section article main header ul ol li dl dt dd table pre blockquote details summary figure h1 h2 h3 h4 h5 h6
   hr center fieldset aside body html address`.split(/\s+/),
)
const codeLanguage = /(?:^|\s)(?:language|lang|highlight|brush)[-:]\s*([\w+#.-]+)/

/** What the nodes of a page say, without its clutter. */
export function readFlow(nodes: ChildNode[], clutter: Clutter): Piece[] {
  const pieces: Piece[] = []
  /** An id on something without text of its own, standing just before what comes next. */
  let waitingId: string | null = null
  let line: ChildNode[] = []

  walk(nodes)
  return pieces

  function walk(children: ChildNode[]): void {
    for (const node of children) {
      if (isBlock(node)) {
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
      const whole = wholeBlock(element, clutter)
      if (whole !== undefined) say(whole)
      else walk(element.children)
    }
  }

  function heading(element: Element): void {
    // A heading ends in asterisks where notes below the page explain them.
    const text = plain(element.children, clutter).replace(/\s*\*+$/, "")
    if (text === "") return
    const inner = DomUtils.findOne((child) => idOf(child) !== null, element.children)
    const link = DomUtils.findOne(isFragmentLink, [...element.children, ...followers(element)])
    const anchor =
      element.attribs["id"] ||
      (inner && idOf(inner)) ||
      waitingId ||
      element.attribs["data-slug"] ||
      (link ? decoded((link.attribs["href"] as string).slice(1)) : null)
    waitingId = null
    pieces.push({ kind: "heading", level: Number(element.name[1]), text, anchor })
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
function wholeBlock(element: Element, clutter: Clutter): string | undefined {
  switch (element.name) {
    case "pre":
      return fence(element, clutter)
    case "ul":
    case "ol":
      return list(element, clutter)
    case "table":
      return isLayout(element) ? undefined : table(element, clutter)
    case "blockquote":
      return quote(inside(element, clutter))
    case "summary":
    case "dt":
      return bold(prose(element.children, clutter).replace(/\n+/g, " "))
    default:
      return undefined
  }
}

function isHeading(element: Element): boolean {
  return /^h[1-6]$/.test(element.name)
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

function isBlock(node: ChildNode): node is Element {
  if (!isTag(node)) return false
  if (blocks.has(node.name)) return true
  if (node.children.length === 0) return false
  // Components and odd elements count as what they hold.
  return node.children.some((child) => isBlock(child)) || !isPhrasing(node.name)
}

/** A paragraph that is nothing but a link ("Try it", "Edit") says nothing once the link is gone. */
function isOnlyLink(nodes: ChildNode[]): boolean {
  const told = nodes.filter((node) => !isText(node) || node.data.trim() !== "")
  return told.length > 0 && told.every((node) => isTag(node) && node.name === "a")
}

function inside(element: Element, clutter: Clutter): string {
  return readFlow(element.children, clutter)
    .map((piece) => (piece.kind === "heading" ? bold(guarded(piece.text)) : piece.markdown))
    .join("\n\n")
}

function fence(element: Element, clutter: Clutter): string {
  const code = verbatim(element, clutter)
    .replace(/\r\n?/g, "\n")
    .replace(highlightMark, "")
    .replace(/^\s*\n|\s+$/g, "")
  if (code === "") return ""
  const ticks = "`".repeat(Math.max(3, longestRun(code) + 1))
  return `${ticks}${languageOf(element)}\n${code}\n${ticks}`
}

/** Comments that tell a generator which lines to colour, and are not shown. */
const highlightMark =
  /^[\t ]*(?:\/\/|#|<!--|\{?\/\*)\s*highlight-(?:next-line|start|end)\s*(?:-->|\*\/\}?)?[\t ]*\n|[\t ]*(?:\/\/|#|<!--|\/\*)\s*\[!code [^\]\n]*\]\s*?(?:-->|\*\/)?[\t ]*$/gm

function languageOf(pre: Element): string {
  const code = DomUtils.findOne(({ name }) => name === "code", pre.children)
  for (const element of [code, ...withAncestors(pre, 7)]) {
    if (!element) continue
    const { class: names = "", "data-language": language, lang } = element.attribs
    const found = language ?? codeLanguage.exec(names)?.[1] ?? (element === pre ? lang : undefined)
    if (found) return found === "text" || found === "plaintext" || found === "default" ? "" : found
  }
  return ""
}

/** Highlighters wrap code in a few boxes, or in a table with its line numbers, and name the language on any of them. */
function withAncestors(element: Element, count: number): Element[] {
  const { parent } = element
  return count > 0 && parent && isTag(parent) ? [element, ...withAncestors(parent, count - 1)] : [element]
}

function list(element: Element, clutter: Clutter): string {
  let number = Number(element.attribs["start"] ?? 1) || 1
  const items: string[] = []
  for (const item of element.children) {
    if (!isTag(item) || clutter(item)) continue
    const text = inside(item, clutter) || prose(item.children, clutter)
    if (text === "") continue
    const mark = element.name === "ol" ? `${number++}. ` : "- "
    items.push(mark + text.replaceAll("\n", `\n${" ".repeat(mark.length)}`).replace(/^ +$/gm, ""))
  }
  return items.join("\n")
}

/** Tables also hold pages together and number the lines of code. */
function isLayout(table: Element): boolean {
  return (
    table.attribs["role"] === "presentation" ||
    DomUtils.findOne(
      ({ name }) => name === "pre" || name === "table" || isHeadingName(name),
      table.children,
    ) !== null
  )
}

function isHeadingName(name: string): boolean {
  return /^h[1-6]$/.test(name)
}

function table(element: Element, clutter: Clutter): string {
  const [head, ...body] = rowsOf(element, clutter).filter((row) => row.some((cell) => cell !== ""))
  if (!head) return ""
  const width = Math.max(head.length, ...body.map((row) => row.length))
  const line = (row: string[]) => `| ${Array.from({ length: width }, (_, at) => row[at] ?? "").join(" | ")} |`
  const caption = DomUtils.getElementsByTagName("caption", element.children)[0]
  const said = caption && !clutter(caption) ? guarded(prose(caption.children, clutter)) : ""
  return [...(said ? [said, ""] : []), line(head), `|${" --- |".repeat(width)}`, ...body.map(line)].join("\n")
}

/** Over more rows or columns a cell is not followed, nor one with more text: a hostile page could make gigabytes of a few. */
const mostSpanned = { rows: 100, columns: 20, characters: 200 }

/** Each cell in its own column: one over several rows is said in each, one over several columns in the first. */
function rowsOf(element: Element, clutter: Clutter): string[][] {
  let above: { text: string; rows: number }[] = []
  return DomUtils.getElementsByTagName("tr", element.children).map((row) => {
    const cells: typeof above = []
    const takeAbove = () => {
      for (let cell = above[cells.length]; cell && cell.rows > 1; cell = above[cells.length])
        cells.push({
          text: cell.text.length > mostSpanned.characters ? "" : cell.text,
          rows: cells.length < mostSpanned.columns ? cell.rows - 1 : 1,
        })
    }
    for (const cell of row.children.filter(isTag)) {
      takeAbove()
      const text = prose(cell.children, clutter).replace(/\n+/g, " ").replaceAll("|", "\\|")
      const rows = Math.min(Number(cell.attribs["rowspan"]) || 1, mostSpanned.rows)
      const columns = Math.min(Number(cell.attribs["colspan"]) || 1, mostSpanned.columns)
      for (let column = 0; column < columns; column++) cells.push({ text: column === 0 ? text : "", rows })
    }
    takeAbove()
    above = cells
    return cells.map(({ text }) => text)
  })
}

function quote(text: string): string {
  const said = text.replace(/^\\?\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*/, "")
  return said === "" ? "" : said.replace(/^/gm, "> ").replace(/^> $/gm, ">")
}

function bold(text: string): string {
  return text && (text.includes("**") ? text : `**${text}**`)
}

/** A paragraph that happens to begin like a heading, a list, a quote or code stays a paragraph. */
function guarded(text: string): string {
  return text.replace(/^(#{1,6}\s|[-+>]\s|\||~{3})/gm, "\\$1").replace(/^(\d{1,9})([.)]\s)/gm, "$1\\$2")
}
