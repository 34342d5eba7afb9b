import type { LeftOutPart } from "../../document.ts"
import { addLoss, blocksHtml } from "../paragraphs.ts"
import type { Parts } from "../parts.ts"
import { child, elementText, isElement, type XmlElement } from "../xml.ts"
import { type Context, readBlocks } from "./body.ts"
import { readNumbering } from "./numbering.ts"
import { type Part, readMainPart, relatedParts } from "./part.ts"
import { readStyles } from "./styles.ts"

/**
 * The text of a Word document (ECMA-376) as HTML: what a reader of the printed document sees, without its margins.
 * Undefined for a file that is none.
 */
export function docxHtml(parts: Parts, losses: LeftOutPart[]): string | undefined {
  const main = readMainPart(parts)
  const body = child(main.root, "w:document", "w:body")
  if (!body) return undefined
  const related = (type: RegExp) => relatedParts(main, type, 1, parts)[0]
  const styles = readStyles(related(/^styles$/)?.root)
  const margins = relatedParts(main, /^(?:header|footer)$/, maxMargins, parts).map(({ root }) => root)
  const blocks = readBlocks(body, main, {
    styles,
    numbering: readNumbering(related(/^numbering$/)?.root, styles),
    losses,
    notes: notesById({ footnote: related(/^footnotes$/), endnote: related(/^endnotes$/) }),
    isOnPaper: isOnPaper([main.root, ...margins]),
  })
  for (const margin of margins) addLoss(losses, "navigation", elementText(margin))
  const comments = child(related(/^comments$/)?.root, "w:comments")
  for (const comment of comments?.children.filter(isElement) ?? [])
    addLoss(losses, "aside", elementText(comment))
  return blocksHtml(blocks, { byLook: true })
}

/** Headers and footers that are looked at; a section has up to six. */
const maxMargins = 12

function notesById(parts: Record<string, Part | undefined>): Context["notes"] {
  const notes = new Map<string, { note: XmlElement; part: Part }>()
  // The others draw the line above the notes.
  for (const [kind, part] of Object.entries(parts))
    for (const note of child(part?.root, `w:${kind}s`)?.children.filter(isElement) ?? [])
      if (part && /^(?:|normal)$/.test(note.attributes["w:type"] ?? ""))
        notes.set(`${kind} ${note.attributes["w:id"]}`, { note, part })
  return notes
}

/** Whether no picture lies behind the text and the page has no colour, on which white letters could be read. */
function isOnPaper(roots: (XmlElement | undefined)[]): boolean {
  return roots.every(
    (root) =>
      !root ||
      !hasElement(root, ({ name, attributes }) => name === "w:background" || attributes["behindDoc"] === "1"),
  )
}

function hasElement(element: XmlElement, test: (element: XmlElement) => boolean): boolean {
  return element.children.some((node) => isElement(node) && (test(node) || hasElement(node, test)))
}
