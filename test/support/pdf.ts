import type { Document } from "../../src/reading/formats/document.ts"
import { localParser } from "../../src/reading/parser.ts"
/** A text on a page, in points from its upper left corner. */
export interface PdfText {
  text: string
  x?: number
  y: number
  size?: number
  bold?: boolean
}

interface PdfOptions {
  title?: string
  /** As a file that opens with a password alone. */
  locked?: boolean
  /** Pages that the file claims to have. */
  count?: number
  /** Further operators of each page's content. */
  operators?: string
}

const height = 842

/** A PDF of A4 pages as a small program would write it. Letters beyond Latin-1 are lost. */
export function makePdf(
  pages: readonly (readonly PdfText[])[],
  options: PdfOptions = {},
): Uint8Array<ArrayBuffer> {
  const { title, locked, count = pages.length, operators = "" } = options
  const font = (name: string) => `<</Type/Font/Subtype/Type1/BaseFont/${name}/Encoding/WinAnsiEncoding>>`
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Count ${count}/Kids[${pages.map((_, at) => `${6 + at * 2} 0 R`).join(" ")}]>>`,
    font("Helvetica"),
    font("Helvetica-Bold"),
    title === undefined ? "<<>>" : `<</Title<${hex(title)}>>>`,
    ...pages.flatMap((texts, at) => {
      const content = texts.map(operatorsOf).join("\n") + operators
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 ${height}]/Resources<</Font<</F1 3 0 R/F2 4 0 R>>>>/Contents ${7 + at * 2} 0 R>>`,
        `<</Length ${content.length}>>stream\n${content}\nendstream`,
      ]
    }),
  ]
  const key = "00".repeat(32)
  const lock = locked
    ? `/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<${key}>/U<${key}>>>/ID[<${key}><${key}>]`
    : ""
  let text = "%PDF-1.4\n"
  const offsets = objects.map((object, at) => {
    const offset = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, "0")} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join("")}`
  const trailer = `trailer\n<</Root 1 0 R/Info 5 0 R/Size ${size}${lock}>>\nstartxref\n${text.length}\n%%EOF\n`
  return new TextEncoder().encode(text + table + trailer)
}

function operatorsOf({ text, x = 60, y, size = 11, bold }: PdfText): string {
  return `BT /${bold ? "F2" : "F1"} ${size} Tf ${x} ${height - y} Td <${hex(text)}> Tj ET`
}

function hex(text: string): string {
  return [...text].map((letter) => (letter.charCodeAt(0) & 255).toString(16).padStart(2, "0")).join("")
}

/** Lines of one paragraph below each other. */
export function paragraph(lines: readonly string[], from: number, x = 60): PdfText[] {
  return lines.map((text, at) => ({ text, x, y: from + at * 14 }))
}

/** Where the read document comes from. */
export const place = { path: "guide", url: "https://mairie.exemple.fr/guide.pdf" }

/** As the reader of uploads and links reads it. */
export function readPdf(bytes: Uint8Array) {
  return localParser.file(bytes, place)
}

export async function readPages(pages: PdfText[][], options = {}): Promise<Document> {
  const found = await readPdf(makePdf(pages, options))
  if ("leftOut" in found) throw new Error(JSON.stringify(found))
  return found
}
