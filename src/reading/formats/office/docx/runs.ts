import { hex } from "dingbat-to-unicode"
import type { LeftOutPart } from "../../document.ts"
import { formulaText } from "../math.ts"
import { addLoss, type Block, type Look, plainLook, type Run, withoutPrivate } from "../paragraphs.ts"
import { child, elementText, isElement, outermost, type XmlElement } from "../xml.ts"
import { type FieldReader, readInstruction } from "./fields.ts"
import type { Part } from "./part.ts"
import { hasShade, isSet, letterProperties, type Style, type Styles, value, withToggles } from "./styles.ts"

/** Words that a tracked change takes away. */
export const undone: ReadonlySet<string> = new Set(["w:del", "w:moveFrom"])

interface Scope {
  part: Part
  styles: Styles
  losses: LeftOutPart[]
  fields: FieldReader
  isOnPaper: boolean
  box(content: XmlElement): Block[]
  note(reference: XmlElement): string | undefined
}

/** The words of a paragraph that its readers see, and the blocks of the text boxes that it holds. */
export function readRuns(paragraph: XmlElement, style: Style, scope: Scope): { runs: Run[]; boxes: Block[] } {
  const { part, styles, losses, fields } = scope
  const runs: Run[] = []
  const boxes: Block[] = []
  const isOnPaper = scope.isOnPaper && !hasShade(child(paragraph, "w:pPr"))
  let hidden = ""
  visitAll(paragraph, undefined)
  addLoss(losses, "hidden", hidden)
  return { runs, boxes }

  function visitAll(holder: XmlElement | undefined, href: string | undefined): void {
    for (const node of holder?.children ?? []) if (isElement(node)) visit(node, href)
  }

  function visit(node: XmlElement, href: string | undefined): void {
    const { name } = node
    if (undone.has(name) || name === "w:pPr") return
    if (name === "w:r") run(node, href)
    else if (name === "w:hyperlink") visitAll(node, linkTarget(node) ?? href)
    else if (name === "w:fldSimple") {
      const field = readInstruction(node.attributes["w:instr"] ?? "")
      if (!field.isContents) visitAll(node, field.href ?? href)
    } else if (name === "m:oMath") add(formulaText(node), plainLook, href)
    else visitAll(name === "mc:AlternateContent" ? shownAlternative(node) : node, href)
  }

  function linkTarget({ attributes }: XmlElement): string | undefined {
    const { target, isOutside } = part.relationships.find(({ id }) => id === attributes["r:id"]) ?? {}
    const anchor = attributes["w:anchor"]
    return isOutside && target && anchor ? `${target}#${anchor}` : isOutside ? target : undefined
  }

  function run(node: XmlElement, href: string | undefined): void {
    const properties = child(node, "w:rPr")
    const { letters } = styles.find(value(properties, "w:rStyle"))
    const seen = withToggles(style.letters, letters, letterProperties(properties), styles.defaults)
    const isUnseen = seen.isHidden || (seen.isWhite && !seen.isShaded && isOnPaper)
    const look: Look = {
      isBold: seen.isBold ?? false,
      isItalic: seen.isItalic ?? false,
      isStruck: isSet(properties, "w:strike"),
      isRaised: value(properties, "w:vertAlign") === "superscript",
      size: seen.size,
    }
    for (const piece of node.children.filter(isElement)) {
      if (fields.read(piece) || fields.isInContents()) continue
      if (isUnseen) hidden += piece.name === "w:t" ? elementText(piece) : ""
      else runPiece(piece, look, fields.href() ?? href)
    }
  }

  function runPiece(piece: XmlElement, look: Look, href: string | undefined): void {
    switch (piece.name) {
      case "w:t":
        add(elementText(piece), look, href)
        break
      case "w:tab":
      case "w:ptab":
        add(" ", look, href)
        break
      case "w:noBreakHyphen":
        add("\u2011", look, href)
        break
      case "w:sym":
        add(symbol(piece), look, href)
        break
      case "w:ruby":
        visitAll(child(piece, "w:rubyBase"), href)
        break
      case "w:cr":
      case "w:br":
        if (/^(?:page|column)$/.test(piece.attributes["w:type"] ?? "")) add(" ", look, href)
        else runs.push({ html: "<br>", text: " ", look })
        break
      case "w:footnoteReference":
      case "w:endnoteReference":
        runs.push({ html: scope.note(piece) ?? "", text: "", look: plainLook })
        break
      case "mc:AlternateContent":
        drawing(shownAlternative(piece))
        break
      case "w:drawing":
      case "w:pict":
      case "w:object":
        drawing(piece)
    }
  }

  function add(written: string, look: Look, href: string | undefined): void {
    const text = withoutPrivate(written)
    if (text !== "")
      runs.push({ html: Bun.escapeHTML(text), text, look, ...(href !== undefined && { href }) })
  }

  /** Text boxes are read behind the paragraph that holds them; what a chart says is not read. */
  function drawing(holder: XmlElement | undefined): void {
    if (!holder) return
    const contents = outermost(holder, "w:txbxContent")
    for (const content of contents) boxes.push(...scope.box(content))
    const isChart = outermost(holder, "a:graphicData").some(({ attributes }) =>
      /\/(?:chart|diagram)/.test(attributes["uri"] ?? ""),
    )
    const { descr, title, name = "" } = outermost(holder, "wp:docPr")[0]?.attributes ?? {}
    if (isChart) addLoss(losses, "drawing", descr || title || name)
  }
}

/** The form that a program of today shows: the newer one where that holds words. */
export function shownAlternative(element: XmlElement): XmlElement | undefined {
  const forms = element.children.filter(isElement)
  return forms.find((form) => elementText(form).trim() !== "") ?? forms[0]
}

/** Whether a control holds a list of contents. */
export function isContents(control: XmlElement): boolean {
  const gallery = value(child(control, "w:sdtPr", "w:docPartObj"), "w:docPartGallery") ?? ""
  return /^table of contents/i.test(gallery)
}

/** The letter of a font of signs, such as a tick; nothing where it has no name. */
function symbol({ attributes }: XmlElement): string {
  const { "w:font": font = "", "w:char": code = "" } = attributes
  const sign = hex(font, code) ?? hex(font, code.replace(/^F0/i, ""))
  if (sign) return sign.string
  const point = Number.parseInt(code, 16)
  return point > 0x20 && point < 0xd800 ? String.fromCodePoint(point) : ""
}
