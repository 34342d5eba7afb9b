import { elementText, type XmlElement } from "../xml.ts"

/** The meaning of an instruction such as `HYPERLINK "https://…"` for the text that it shows. */
interface Field {
  href?: string
  /** A list of contents or an index. */
  isContents: boolean
}

export interface FieldReader {
  /** Whether the element belongs to a field and shows nothing. */
  read(element: XmlElement): boolean
  isInContents(): boolean
  href(): string | undefined
}

/**
 * Follows fields that begin in one run and end in another, often in another paragraph. What stands between is an
 * instruction first, and then the text that is shown.
 */
export function fieldReader(): FieldReader {
  const open: (Field & { instruction: string; isShown: boolean })[] = []
  return {
    read(element) {
      const last = open.at(-1)
      if (element.name === "w:fldChar") {
        const type = element.attributes["w:fldCharType"]
        if (type === "begin" && open.length < maxNested)
          open.push({ instruction: "", isShown: false, isContents: false })
        if (type === "separate" && last)
          Object.assign(last, { ...readInstruction(last.instruction), isShown: true })
        if (type === "end") open.pop()
        return true
      }
      if (element.name === "w:instrText") {
        if (last && last.instruction.length < maxCharacters)
          last.instruction += elementText(element).slice(0, maxCharacters)
        return true
      }
      return open.some(({ isShown }) => !isShown)
    },
    isInContents: () => open.some(({ isContents }) => isContents),
    href: () => open.findLast(({ href }) => href !== undefined)?.href,
  }
}

const maxNested = 50
const maxCharacters = 5000

export function readInstruction(instruction: string): Field {
  const href = /^\s*HYPERLINK\s+"([^"]+)"/i.exec(instruction)?.[1]
  return { ...(href !== undefined && { href }), isContents: /^\s*(?:TOC|INDEX)\b/i.test(instruction) }
}
