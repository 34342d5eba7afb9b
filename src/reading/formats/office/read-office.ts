import { detail } from "../../../base/errors.ts"
import type { Document, LeftOut, LeftOutPart } from "../document.ts"
import { htmlItems, type Place, toDocument } from "../structured.ts"
import { odtHtml } from "./odt/odt.ts"
import { partReader } from "./parts.ts"
import { elementText, outermost } from "./xml.ts"
import { zipDirectory } from "./zip.ts"

/** Reads a document of Word or OpenDocument. Programs open it at its beginning, so that no part has an anchor. */
export async function readOffice(bytes: Uint8Array, place: Place): Promise<Document | LeftOut> {
  try {
    const directory = zipDirectory(bytes)
    if ("leftOut" in directory) return directory
    const leftOut: LeftOutPart[] = []
    const parts = partReader(bytes, directory.names, leftOut)
    if (isEncrypted()) return { leftOut: "encrypted" }
    const format = parts.has("content.xml") ? "odt" : "docx"
    // Loaded here: only the process that parses needs its tables.
    const html =
      format === "odt" ? odtHtml(parts, leftOut) : (await import("./docx/docx.ts")).docxHtml(parts, leftOut)
    if (html === undefined) return { leftOut: "unreadable", detail: detail("reading.otherArchive") }
    const read = htmlItems(html, place)
    if ("leftOut" in read) return read
    const items = read.map((item) => (item.kind === "heading" ? { ...item, anchor: null } : item))
    const properties = parts.readTolerantly(format === "odt" ? "meta.xml" : "docProps/core.xml")
    const title = properties && elementText(outermost(properties, "dc:title")[0])
    const document = toDocument(items, place, { title: title?.slice(0, maxTitleCharacters), format })
    if ("leftOut" in document || leftOut.length === 0) return document
    return { ...document, html: { leftOut, doubtful: [], otherTitle: null } }

    function isEncrypted(): boolean {
      const manifest = parts.readTolerantly("META-INF/manifest.xml")
      const isMarked = manifest && outermost(manifest, "manifest:encryption-data").length > 0
      return isMarked || parts.has("encrypted-package")
    }
  } catch (error) {
    const message = (error as Error).message.slice(0, 200)
    return { leftOut: "unreadable", detail: detail("reading.brokenFile", { error: message }) }
  }
}

const maxTitleCharacters = 500
