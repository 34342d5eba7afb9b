import type { Document } from "../../src/reading/formats/document.ts"
import { readHtml } from "../../src/reading/formats/html/read-html.ts"

const somewhere = { path: "guide", url: "https://docs.example/guide" }

export function readPage(html: string): Document {
  const document = readHtml(html, somewhere)
  if ("leftOut" in document) throw new Error(`left out: ${JSON.stringify(document)}`)
  return document
}

/** The heading path and the text of each section of a page. */
export function textRead(html: string): [string, string][] {
  return readPage(html).sections.map(({ headings, markdown }) => [headings.join(" > "), markdown])
}
