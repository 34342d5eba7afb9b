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

export function zipped(entries: Record<string, string>): Buffer {
  const files = Object.entries(entries).map(([name, text]) => [
    name,
    [Buffer.from(text), { level: 0 as const }],
  ])
  return Buffer.from(zipSync(Object.fromEntries(files)))
}

/** A document of older offices with these streams, each as Latin-1; `folder/stream` stands in a folder. */
export function compoundFile(streams: Record<string, string>): Buffer {
  const entries = [{ name: "Root Entry", type: 5, child: 1, right: none, start: none, bytes: 0 }]
  const sectors: Buffer[] = []
  const table: number[] = []
  const add = (content: Buffer) => {
    const start = sectors.length
    for (let at = 0; at < content.length; at += 512) {
      sectors.push(Buffer.concat([content.subarray(at, at + 512)], 512))
      table.push(at + 512 < content.length ? sectors.length : none)
    }
    return start
  }
  const paths = Object.entries(streams).map(([path, text]) => [path.split("/"), text] as const)
  for (const [[...path], text] of paths) {
    const outermost = entries.length
    for (const name of path.slice(0, -1))
      entries.push({ name, type: 1, child: entries.length + 1, right: none, start: none, bytes: 0 })
    // Smaller ones would stand elsewhere.
    const content = Buffer.alloc(Math.max(4096, text.length))
    content.write(text, "latin1")
    entries.push({
      name: path.at(-1) ?? "",
      type: 2,
      child: none,
      right: none,
      start: add(content),
      bytes: content.length,
    })
    if (path !== paths.at(-1)?.[0]) Object.assign(entries[outermost] ?? {}, { right: entries.length })
  }
  const directory = add(Buffer.concat(entries.map(entryOf)))
  const header = Buffer.alloc(512, 0xff)
  header.fill(0, 8, 76)
  header.write("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "latin1")
  header.writeUInt16LE(9, 30)
  header.writeUInt32LE(directory, 48)
  header.writeUInt32LE(4096, 56)
  for (const at of [60, 68]) header.writeUInt32LE(none, at)
  header.writeUInt32LE(sectors.length, 76)
  const numbers = Buffer.alloc(512, 0xff)
  for (const [at, next] of table.entries()) numbers.writeUInt32LE(next, at * 4)
  return Buffer.concat([header, ...sectors, numbers])
}

const none = 0xff_ff_ff_ff

function entryOf(entry: {
  name: string
  type: number
  child: number
  right: number
  start: number
  bytes: number
}) {
  const bytes = Buffer.alloc(128)
  bytes.write(entry.name, "utf16le")
  bytes.writeUInt16LE((entry.name.length + 1) * 2, 64)
  bytes[66] = entry.type
  for (const [at, value] of [none, entry.right, entry.child].entries())
    bytes.writeUInt32LE(value, 68 + at * 4)
  bytes.writeUInt32LE(entry.start, 116)
  bytes.writeUInt32LE(entry.bytes, 120)
  return bytes
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
