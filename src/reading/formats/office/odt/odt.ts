import type { LeftOutPart } from "../../document.ts"
import { mathText } from "../math.ts"
import {
  addLoss,
  type Block,
  blocksHtml,
  type Cell,
  type Look,
  noteHtml,
  plainLook,
  type Run,
  withoutPrivate,
} from "../paragraphs.ts"
import type { Parts } from "../parts.ts"
import { child, elementText, isElement, type XmlElement } from "../xml.ts"
import { listReader, type OpenList } from "./lists.ts"
import { type Letters, readStyles, type Style, type Styles } from "./styles.ts"

/** Spaces and columns that one element may stand for. */
const maxRepeats = 50

/** Elements that say nothing of their own to readers. */
const silent = new Set(["text:tracked-changes", "office:forms", "text:number", "svg:desc", "svg:title"])

const contents = new Set([
  "text:table-of-content",
  "text:alphabetical-index",
  "text:illustration-index",
  "text:table-index",
  "text:object-index",
  "text:user-index",
])

/** The text of a document (OpenDocument 1.3) as HTML; undefined for a spreadsheet or a presentation. */
export function odtHtml(parts: Parts, losses: LeftOutPart[]): string | undefined {
  const content = parts.read("content.xml")
  const text = child(content, "office:document-content", "office:body", "office:text")
  if (!content || !text) return undefined
  const own = parts.readTolerantly("styles.xml")
  addLoss(losses, "navigation", elementText(child(own, "office:document-styles", "office:master-styles")))
  const styles = readStyles(own ? [content, own] : [content])
  return blocksHtml(readBlocks(text, { parts, styles, losses, formulas: new Map() }), { byLook: true })
}

interface Context {
  parts: Parts
  styles: Styles
  losses: LeftOutPart[]
  /** By the place of the part that holds it. */
  formulas: Map<string, string | undefined>
}

/** Longer than any formula, and any part may be shown many times. */
const maxFormulaCharacters = 2000

/** A line of a list of contents that another program made, by the name of its style. */
function isContentsLine({ name, attributes }: XmlElement, styles: Styles): boolean {
  const style = name === "text:p" ? styles.paragraph(attributes["text:style-name"]).name : ""
  return /^(?:(?:contents|toc) (?:\d|heading)|index \d|table of figures)$/i.test(style)
}

function readBlocks(container: XmlElement, context: Context): Block[] {
  const { styles, losses } = context
  const blocks: Block[] = []
  const lists = listReader(styles)
  readAll(container, undefined)
  return blocks

  function readAll(element: XmlElement, list: OpenList | undefined): void {
    for (const node of element.children) if (isElement(node)) read(node, list)
  }

  function read(element: XmlElement, list: OpenList | undefined): void {
    const { name, attributes } = element
    if (silent.has(name)) return
    if (contents.has(name) || isContentsLine(element, styles)) {
      if (blocks.at(-1) !== "contents")
        addLoss(losses, "navigation", elementText(child(element, "text:index-body") ?? element))
      blocks.push("contents")
    } else if (isHiddenPart(element)) addLoss(losses, "hidden", elementText(element))
    else if (name === "text:p" || name === "text:h") paragraph(element, list, {})
    else if (name === "text:list") items(element, lists.open(element, list))
    else if (name === "table:table") blocks.push({ rows: rowsOf(element).map(readRow) })
    else if (attributes["text:display"] !== "none") readAll(element, list)
  }

  function items(list: XmlElement, open: OpenList): void {
    for (const item of list.children.filter(isElement)) {
      let isFirst = item.name === "text:list-item"
      for (const node of item.children.filter(isElement)) {
        if (node.name === "text:p" || node.name === "text:h") {
          const start = item.attributes["text:start-value"]
          paragraph(node, open, { isFirst, start: start === undefined ? undefined : Number(start) || 0 })
          isFirst = false
        } else read(node, open)
      }
    }
  }

  function paragraph(
    element: XmlElement,
    list: OpenList | undefined,
    { isFirst, start }: { isFirst?: boolean; start?: number | undefined },
  ): void {
    const style = styles.paragraph(element.attributes["text:style-name"])
    const { runs, boxes } = readRuns(element, style, context)
    const isHeading = element.name === "text:h"
    const level = isHeading ? Number(element.attributes["text:outline-level"]) || 1 : style.level
    const place = list
      ? isFirst
        ? lists.item(list, style.list, start)
        : { list: { depth: list.depth, goesOn: true as const } }
      : isHeading && element.attributes["text:is-list-header"] !== "true"
        ? lists.heading(level ?? 1)
        : {}
    blocks.push({ runs, ...(level && { level }), ...place }, ...boxes)
  }

  function readRow(row: XmlElement): Cell[] {
    return row.children.filter(isElement).flatMap((cell) => {
      if (cell.name !== "table:table-cell") return []
      const { attributes } = cell
      const content = readBlocks(cell, context)
      const count = (name: string) => Math.min(maxRepeats, Number(attributes[name]) || 1)
      const [columns, rows] = [count("table:number-columns-spanned"), count("table:number-rows-spanned")]
      const repeats = content.length === 0 ? 1 : count("table:number-columns-repeated")
      return Array<Cell>(repeats).fill({ blocks: content, columns, rows })
    })
  }
}

/** The rows of a table that are shown, also those in a group or head. */
function rowsOf(table: XmlElement): XmlElement[] {
  return table.children.filter(isElement).flatMap((node) => {
    if (node.attributes["table:visibility"] === "collapse" || node.attributes["table:display"] === "false")
      return []
    if (node.name === "table:table-row") return [node]
    return /^table:table-(?:header-rows|rows|row-group)$/.test(node.name) ? rowsOf(node) : []
  })
}

/** A section or a paragraph that its document hides, by a setting or by a condition that holds. */
function isHiddenPart({ name, attributes, children }: XmlElement): boolean {
  if (name === "text:section")
    return attributes["text:display"] === "none" || attributes["text:is-hidden"] === "true"
  return children.some(
    (node) =>
      isElement(node) &&
      node.name === "text:hidden-paragraph" &&
      node.attributes["text:is-hidden"] === "true",
  )
}

function readRuns(paragraph: XmlElement, style: Style, context: Context): { runs: Run[]; boxes: Block[] } {
  const { parts, styles, losses } = context
  const runs: Run[] = []
  const boxes: Block[] = []
  let hidden = ""
  visitAll(paragraph, style.letters, undefined)
  addLoss(losses, "hidden", hidden)
  return { runs, boxes }

  function visitAll(holder: XmlElement, letters: Letters, href: string | undefined): void {
    for (const node of holder.children) {
      if (isElement(node)) visit(node, letters, href)
      else add(node.replace(/\s+/g, " "), letters, href)
    }
  }

  function visit(node: XmlElement, letters: Letters, href: string | undefined): void {
    const { name, attributes } = node
    if (silent.has(name)) return
    switch (name) {
      case "text:span":
        visitAll(node, { ...letters, ...styles.text(attributes["text:style-name"]).letters }, href)
        break
      case "text:a":
        visitAll(node, letters, attributes["xlink:href"] ?? href)
        break
      case "text:line-break":
        runs.push({ html: "<br>", text: " ", look: lookOf(letters) })
        break
      case "text:s":
      case "text:tab":
        add(" ".repeat(Math.min(maxRepeats, Number(attributes["text:c"]) || 1)), letters, href)
        break
      case "text:note": {
        const body = child(node, "text:note-body")
        if (body) runs.push({ html: noteHtml(readBlocks(body, context)), text: "", look: plainLook })
        break
      }
      case "office:annotation":
        addLoss(losses, "aside", elementText(node))
        break
      case "text:hidden-text":
        if (attributes["text:is-hidden"] === "false")
          add(attributes["text:string-value"] ?? "", letters, href)
        break
      case "text:p":
      case "text:h":
      case "text:list":
      case "table:table":
        // A text box, of whatever shape.
        boxes.push(...readBlocks({ name: "", attributes: {}, children: [node] }, context))
        break
      case "draw:object":
        object(node, letters)
        break
      case "text:ruby-text":
        break
      default:
        visitAll(node, letters, href)
    }
  }

  /** A formula is a file of its own. */
  function object(element: XmlElement, letters: Letters): void {
    const place = element.attributes["xlink:href"]?.replace(/^\.\//, "").replace(/\/$/, "")
    const own = child(element, "math:math")
    const formula = own ? mathText(own) : place && formulaAt(place)
    if (formula) add(formula, letters, undefined)
    else addLoss(losses, "drawing", elementText(element) || (place ?? ""))
  }

  function formulaAt(place: string): string | undefined {
    return context.formulas.getOrInsertComputed(place, () => {
      const math = child(parts.readTolerantly(`${place}/content.xml`), "math:math")
      return math && mathText(math).slice(0, maxFormulaCharacters).toWellFormed()
    })
  }

  function add(written: string, letters: Letters, href: string | undefined): void {
    const text = withoutPrivate(written)
    if (letters.isHidden || (letters.isWhite && !letters.isShaded)) hidden += text
    else if (text !== "")
      runs.push({
        html: Bun.escapeHTML(text),
        text,
        look: lookOf(letters),
        ...(href !== undefined && { href }),
      })
  }
}

function lookOf({
  isBold = false,
  isItalic = false,
  isStruck = false,
  isRaised = false,
  size,
}: Letters): Look {
  return { isBold, isItalic, isStruck, isRaised, size }
}
