import { zipSync } from "fflate"

/** Contents of some types of files, as small as they can be told by. */
export const contents = {
  pdf: Buffer.from("%PDF-1.7\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n", "latin1"),
  png: Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
  text: Buffer.from("nom;ville\nZoé;Brest\n"),
  exe: Buffer.concat([Buffer.from("MZ\x90\0\x03", "latin1"), Buffer.alloc(200)]),
  docx: zipped({ "[Content_Types].xml": "<Types/>", "word/document.xml": "<w/>" }),
  docm: zipped({
    "[Content_Types].xml": "<Types/>",
    "word/document.xml": "<w/>",
    "word/vbaProject.bin": "x",
  }),
  xlsx: zipped({ "[Content_Types].xml": "<Types/>", "xl/workbook.xml": "<w/>" }),
  odt: zipped({ mimetype: "application/vnd.oasis.opendocument.text", "content.xml": "<o/>" }),
  zip: zipped({ "a.txt": "a" }),
}

function zipped(entries: Record<string, string>): Buffer {
  const files = Object.entries(entries).map(([name, text]) => [
    name,
    [Buffer.from(text), { level: 0 as const }],
  ])
  return Buffer.from(zipSync(Object.fromEntries(files)))
}

/** A file of a post, by the name of its field. */
export type Attached = [field: string, name: string, content: Uint8Array, mediaType?: string]

/** The data of a form with files, as a browser sends it. */
export function filledIn(values: Record<string, string>, ...files: Attached[]): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(values)) data.append(name, value)
  for (const [field, name, content, type = "application/octet-stream"] of files)
    data.append(field, new File([content as Uint8Array<ArrayBuffer>], name, { type }))
  return data
}
