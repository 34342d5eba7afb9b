import type { DocumentFormat } from "./document.ts"
import { pageLimits } from "./page-limits.ts"

const megabyte = 1024 * 1024

/** Bytes of a file that are taken at all. Text is read within the limits of a page (`pageLimits`). */
export const fileLimits = {
  /** PDF and office documents, with their pictures. */
  documentBytes: 30 * megabyte,
  /** Pages, texts and descriptions of interfaces. */
  textBytes: pageLimits.characters,
}

/** How a file is read. */
export type FileKind = DocumentFormat | "html" | "markdown" | "zip" | "ole" | "data" | "binary"

/** `name` with its extension; `type`: the media type that came with it. */
export interface FileClue {
  name: string
  type?: string | undefined
}

/** Readers of PDF accept other bytes before the mark (ISO 32000, annex H). */
const pdfMarkWithin = 1024

/**
 * Told by its bytes; the name and the type decide among kinds of text alone. `zip` may be an office document, `ole`
 * is one of before 2007 or one with a password, and `data` may describe an interface.
 */
export function kindOfFile(bytes: Uint8Array, { name, type = "" }: FileClue): FileKind {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, pdfMarkWithin))
  if (start.includes("%PDF-")) return "pdf"
  if (start.startsWith("PK\x03\x04")) return "zip"
  if (start.startsWith("\xd0\xcf\x11\xe0")) return "ole"
  const isUtf16 = /^(?:\xff\xfe|\xfe\xff)/.test(start)
  if (!isUtf16 && start.includes("\0")) return "binary"
  if (/^(?:\xef\xbb\xbf)?\s*(?:<!doctype\s{1,9}html|<html[\s>])/i.test(start)) return "html"
  const extension = fileExtension(name)
  const media = type.replace(/;.*/s, "").trim().toLowerCase()
  if (/^x?html?$/.test(extension) || media === "text/html" || media === "application/xhtml+xml") return "html"
  if (/^(?:json|ya?ml)$/.test(extension) || /[/+.](?:json|x-yaml|yaml|openapi)$/.test(media)) return "data"
  const isText = /^(?:mdx?|markdown|txt)$/.test(extension) || /^text\/(?:plain|(?:x-)?markdown)$/.test(media)
  return isText ? "markdown" : "binary"
}

export function fileExtension(name: string): string {
  return /\.([a-z\d]{1,9})$/i.exec(name)?.[1]?.toLowerCase() ?? ""
}
