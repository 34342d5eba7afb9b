import type { LeftOutPart } from "../../document.ts"
import { formulaText } from "../math.ts"
import { addLoss, type Block, noteHtml, type Paragraph, plainLook, type Run } from "../paragraphs.ts"
import { child, elementText, isElement, type XmlElement } from "../xml.ts"
import { fieldReader } from "./fields.ts"
import type { Numbering } from "./numbering.ts"
import type { Part } from "./part.ts"
import { isContents, readRuns, shownAlternative, undone } from "./runs.ts"
import { outlineLevel, type Style, type Styles, value } from "./styles.ts"
import { readTable } from "./table.ts"

/** `html`: as it was read at its first mark. */
interface Note {
  note: XmlElement
  part: Part
  html?: string
}

/** Shared by all parts of one document. */
export interface Context {
  styles: Styles
  numbering: Numbering
  losses: LeftOutPart[]
  /** Foot- and endnotes by kind and id, with the part that holds them. */
  notes: ReadonlyMap<string, Note>
  /** Whether white letters cannot be read: nothing but white paper is behind them. */
  isOnPaper: boolean
}

/** The paragraphs and other blocks that an element of `part` holds. */
export function readBlocks(container: XmlElement, part: Part, context: Context): Block[] {
  const { styles, losses } = context
  const blocks: Block[] = []
  const fields = fieldReader()
  /** Words of paragraphs whose end was deleted: they go on in the next one. */
  let carried: Run[] = []
  readAll(container)
  return blocks

  function readAll(element: XmlElement | undefined): void {
    for (const node of element?.children ?? []) if (isElement(node)) read(node)
  }

  function read(element: XmlElement): void {
    const { name } = element
    if (undone.has(name)) return
    if (name === "w:p") paragraph(element)
    else if (name === "w:tbl") blocks.push(readTable(element, cellBlocks))
    else if (name === "m:oMathPara") addFormula(formulaText(element))
    else if (name === "w:altChunk") addLoss(losses, "unreadable", name)
    else if (name === "w:sdt" && isContents(element)) addContents(element)
    else readAll(name === "mc:AlternateContent" ? shownAlternative(element) : element)
  }

  /** The style of a table may colour its cells. */
  function cellBlocks(cell: XmlElement): Block[] {
    return readBlocks(cell, part, { ...context, isOnPaper: false })
  }

  function addFormula(text: string): void {
    blocks.push({ runs: [{ html: Bun.escapeHTML(text), text, look: plainLook }] })
  }

  function addContents(element: XmlElement): void {
    if (blocks.at(-1) !== "contents") addLoss(losses, "navigation", elementText(element))
    blocks.push("contents")
  }

  function paragraph(element: XmlElement): void {
    const properties = child(element, "w:pPr")
    const styleId = value(properties, "w:pStyle") ?? styles.normal
    const style = styles.find(styleId)
    const wasInContents = fields.isInContents()
    const { runs, boxes } = readRuns(element, style, {
      ...{ part, styles, losses, fields, isOnPaper: context.isOnPaper },
      box: (box) => readBlocks(box, part, { ...context, isOnPaper: false }),
      note: (reference) => noteOf(reference, context),
    })
    if (wasInContents || fields.isInContents() || contentsStyle.test(style.name)) {
      addContents(element)
      return
    }
    const whole = [...carried, ...runs]
    const mark = child(properties, "w:rPr")
    const isEndDeleted = mark?.children.some((node) => isElement(node) && undone.has(node.name)) ?? false
    carried = isEndDeleted ? whole : []
    if (!isEndDeleted) {
      const level = outlineLevel(properties) ?? style.level
      blocks.push({ runs: whole, ...(level && { level }), ...listPlace(properties, styleId, style, context) })
    }
    blocks.push(...boxes)
  }
}

/** The styles of the lines of a list of contents. */
const contentsStyle = /^(?:toc(?: \d|heading| heading)|table of figures|index (?:\d|heading))$/

function listPlace(
  properties: XmlElement | undefined,
  styleId: string | undefined,
  style: Style,
  { numbering }: Context,
): Pick<Paragraph, "label" | "list"> {
  const direct = child(properties, "w:numPr")
  const id = value(direct, "w:numId") ?? style.numbering?.id
  if (id === undefined || id === "0") return {}
  const depth =
    value(direct, "w:ilvl") ?? numbering.depthOfStyle(id, styleId ?? "") ?? style.numbering?.depth ?? 0
  const mark = numbering.mark(id, Number(depth) || 0)
  if (!mark) return {}
  const label = mark.text === undefined ? {} : { label: mark.text }
  // « Article 3 – » begins a paragraph, « a) » an item.
  if (/\p{L}{3}/u.test(mark.text ?? "")) return label
  const { text: _, ...place } = mark
  return { ...label, list: { depth: Number(depth) || 0, ...place } }
}

/** A longer note is read at its first mark alone. */
const maxRepeatedCharacters = 200

/** The note as it is read in the text; a note in a note is left out. */
function noteOf({ name, attributes }: XmlElement, context: Context): string | undefined {
  const kind = name.slice("w:".length, -"Reference".length)
  const found = context.notes.get(`${kind} ${attributes["w:id"]}`)
  if (!found) return undefined
  if (found.html !== undefined) return found.html.length <= maxRepeatedCharacters ? found.html : undefined
  found.html = noteHtml(readBlocks(found.note, found.part, { ...context, notes: new Map() }))
  return found.html
}
