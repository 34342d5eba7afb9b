import { detail } from "../../base/errors.ts"
import { decodeText } from "../../outbound/charset.ts"
import type { Document, LeftOut } from "./document.ts"
import { fileLimits, kindOfFile } from "./file-kind.ts"
import { readHtml } from "./html/read-html.ts"
import { readMarkdown } from "./markdown/read-markdown.ts"
import { readOffice } from "./office/read-office.ts"
import { readOpenApi } from "./openapi/read-openapi.ts"
import { readPdf } from "./pdf/read-pdf.ts"

export interface FilePlace {
  /** Path of its document, without extension. */
  path: string
  url: string
  /** Its name, with the extension; else that of the url. */
  name?: string | undefined
  /** The media type that came with it. */
  type?: string | undefined
  /** The texts of the files that it refers to, by paths of which `name` is one. */
  files?: Readonly<Record<string, string>>
}

/** Reads a file by what it holds; what it is called, and the type that came with it, tell kinds of text apart. */
export async function readFile(bytes: Uint8Array, place: FilePlace): Promise<Document | LeftOut> {
  const { path, url, name = new URL(url).pathname, type = "", files } = place
  const kind = kindOfFile(bytes, { name, type })
  const most = kind === "pdf" || kind === "zip" ? fileLimits.documentBytes : fileLimits.textBytes
  if (bytes.length > most)
    return { leftOut: "too_large", detail: detail("reading.fileTooLarge", { bytes: bytes.length, most }) }
  switch (kind) {
    case "pdf":
      return readPdf(bytes, { path, url })
    case "zip":
      return readOffice(bytes, { path, url })
    case "ole":
      return Buffer.from(bytes).includes(Buffer.from("EncryptedPackage", "utf16le"))
        ? { leftOut: "encrypted" }
        : { leftOut: "unreadable", detail: detail("reading.oldOffice") }
    case "data":
      return readOpenApi(decodeText(bytes, type), { path, url }, { name, files })
    case "html":
      return readHtml(decodeText(bytes, type), { path, url })
    case "markdown":
      return readMarkdown(decodeText(bytes, type), { path, url })
    default:
      return { leftOut: "unreadable", detail: detail("reading.binaryFile") }
  }
}
