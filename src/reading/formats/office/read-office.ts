import { zipSync } from "fflate"
import { parseDocument } from "htmlparser2"
import { detail } from "../../../base/errors.ts"
import type { Document, LeftOut } from "../document.ts"
import { textContent } from "../html/dom.ts"
import { htmlItems, type Place, toDocument } from "../structured.ts"
import { odtHtml } from "./odt.ts"
import { unzipOnly, zipDirectory } from "./zip.ts"

type Files = Record<string, Uint8Array>

/** The entries of each format that are read; the second tells the title. */
const entries = {
  docx: [
    "word/document.xml",
    "docProps/core.xml",
    "[Content_Types].xml",
    "_rels/.rels",
    "word/_rels/document.xml.rels",
    "word/styles.xml",
    "word/numbering.xml",
  ],
  odt: ["content.xml", "meta.xml", "META-INF/manifest.xml"],
} as const

/** Reads a document of Word or OpenDocument. Programs open it at its beginning, so that no part has an anchor. */
export async function readOffice(bytes: Uint8Array, place: Place): Promise<Document | LeftOut> {
  try {
    const directory = zipDirectory(bytes)
    if ("leftOut" in directory) return directory
    const format = (["docx", "odt"] as const).find((each) => directory.names.has(entries[each][0]))
    if (!format) return { leftOut: "unreadable", detail: detail("reading.otherArchive") }
    const files = unzipOnly(bytes, entries[format])
    if (decodeXml(files["META-INF/manifest.xml"]).includes("encryption-data")) return { leftOut: "encrypted" }
    const read = htmlItems(
      format === "docx" ? await docxHtml(files) : odtHtml(decodeXml(files["content.xml"])),
      place,
    )
    if ("leftOut" in read) return read
    const items = read.map((item) => (item.kind === "heading" ? { ...item, anchor: null } : item))
    return toDocument(items, place, { title: titleIn(decodeXml(files[entries[format][1]])), format })
  } catch (error) {
    const message = (error as Error).message.slice(0, 200)
    return { leftOut: "unreadable", detail: detail("reading.brokenFile", { error: message }) }
  }
}

function decodeXml(bytes: Uint8Array | undefined): string {
  return bytes ? new TextDecoder().decode(bytes) : ""
}

function titleIn(properties: string): string | undefined {
  const written = /<dc:title>([^<]{1,500})</.exec(properties)?.[1]
  return written && textContent(parseDocument(written).children)
}

const titleStyles = ["p[style-name='Title'] => h1:fresh", "p[style-name='Titre'] => h1:fresh"]

async function docxHtml(files: Files): Promise<string> {
  // Loaded here: only the process that parses needs it.
  const { default: mammoth } = await import("mammoth")
  // Packed anew, so that nothing can be unpacked but what was judged.
  const buffer = Buffer.from(zipSync(files, { level: 0 }))
  const convertImage = mammoth.images.imgElement(async () => ({ src: "" }))
  const { value } = await mammoth.convertToHtml({ buffer }, { styleMap: titleStyles, convertImage })
  return value
}
