import { unzipSync } from "fflate"
import { openCompoundFile } from "./compound-file.ts"
import { type FileType, fileTypes } from "./file-kind.ts"

/** A document is refused for it, whatever its type. */
export type FileHazard = "macros" | "password"

/** A file by its content alone. Whatever it claims beside, it is only ever handed out as this type. */
export interface JudgedFile {
  type?: FileType | undefined
  hazard?: FileHazard | undefined
}

export function judgeFile(content: Uint8Array): JudgedFile {
  const file = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const begin = file.subarray(0, 1024).toString("latin1")
  for (const [at, sign, type] of marks) {
    const rest = begin.slice(at)
    if (typeof sign === "string" ? rest.startsWith(sign) : sign.test(rest))
      return { type: typeof type === "function" ? type(file, begin) : type }
  }
  if (begin.startsWith("PK\x03\x04")) return zipped(file)
  if (begin.startsWith("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) return compound(file)
  // Readers look for the sign so far, since printers and mail programs write lines before it.
  if (/%PDF-\d/.test(begin) && !programs.test(begin) && file.includes("%%EOF")) return { type: fileTypes.pdf }
  return { type: isText(file) ? fileTypes.text : undefined }
}

type TypeByContent = (file: Buffer, begin: string) => FileType | undefined

/** Signs at a place of the content, as Latin-1. In order: the first that is there tells the type. */
const marks: readonly [at: number, sign: RegExp | string, type: FileType | TypeByContent][] = [
  [0, /^%PDF-\d/, fileTypes.pdf],
  [0, /^\xff\xd8\xff/, fileTypes.jpeg],
  [0, "\x89PNG\r\n\x1a\n", fileTypes.png],
  [0, /^GIF8[79]a/, fileTypes.gif],
  // The size of a header that exists stands behind two numbers, the first of which is followed by nothing.
  [0, /^BM[\s\S]{4}\0{4}[\s\S]{4}[\f(48@l|]\0{3}/, fileTypes.bmp],
  [0, /^RIFF[\s\S]{4}WEBP/, fileTypes.webp],
  [0, /^RIFF[\s\S]{4}WAVE/, fileTypes.wav],
  [0, "II*\0", fileTypes.tiff],
  [0, "MM\0*", fileTypes.tiff],
  [0, /^\{\\rtf1/, fileTypes.rtf],
  [0, /^(?:ID3|\xff[\xe2\xe3\xf2\xf3\xfa\xfb])/, fileTypes.mp3],
  [0, /^\xff[\xf0\xf1\xf8\xf9][\0-\xf3]/, fileTypes.aac],
  [0, /^#!AMR(?:-WB)?\n/, fileTypes.amr],
  [0, /^OggS/, fileTypes.ogg],
  [0, /^fLaC/, fileTypes.flac],
  // The names of its tracks' codecs begin with A for sound, with V for pictures.
  [
    0,
    "\x1a\x45\xdf\xa3",
    (_, begin) =>
      /\x86[\x80-\xff]A_/.test(begin) && !/\x86[\x80-\xff]V_/.test(begin)
        ? fileTypes["webm with sound"]
        : fileTypes.webm,
  ],
  // A picture of which only the further brands of the first box say how it is coded.
  [
    4,
    /^ftyp(?:mif1|msf1)/,
    (file, begin) => (hasBrand(file, begin, /^avi[fs]/) ? fileTypes.avif : fileTypes.heic),
  ],
  [4, /^ftyp(?:hei|hev)/, fileTypes.heic],
  [4, /^ftypavi[fs]/, fileTypes.avif],
  [4, /^ftypM4[AB] /, fileTypes.m4a],
  [4, /^ftypqt {2}/, fileTypes.mov],
  [4, /^ftyp3g/, (file) => (isSoundAlone(file) ? fileTypes["3gp with sound"] : fileTypes["3gp"])],
  [
    4,
    /^ftyp(?:iso|mp4|avc1|M4V|dash|mmp4|MSNV|XAVC)/,
    (file) => (isSoundAlone(file) ? fileTypes.m4a : fileTypes.mp4),
  ],
]

/** Programs of Windows, Linux and macOS, and scripts: a sign further behind makes none of them a document. */
const programs = /^(?:MZ|\x7fELF|#!|\xca\xfe\xba\xbe|\xfe\xed\xfa[\xce\xcf]|[\xce\xcf]\xfa\xed\xfe)/

function hasBrand(file: Buffer, begin: string, brand: RegExp): boolean {
  const box = begin.slice(16, file.readUInt32BE(0))
  return (box.match(/[\s\S]{4}/g) ?? []).some((each) => brand.test(each))
}

/** Voice recorders write the same boxes as cameras: a handler names what a track holds. */
function isSoundAlone(file: Buffer): boolean {
  const has = (handler: string) => file.includes(`hdlr${"\0".repeat(8)}${handler}`, 0, "latin1")
  return has("soun") && !has("vide")
}

/** Documents have some dozen, archives with more are of no type. */
const maxEntries = 10_000
const contentTypes = "[Content_Types].xml"
const maxContentTypesBytes = 1024 ** 2

/** Documents of offices are ZIP archives. Nothing is unpacked but the list of what a document's parts are. */
function zipped(file: Buffer): JudgedFile {
  // The first entry of OpenDocument is its type, as it stands, behind a header of 30 bytes.
  const openDocument = /^mimetype(application\/vnd\.oasis\.opendocument\.[a-z]+)/.exec(
    file.subarray(30, 120).toString("latin1"),
  )
  const names: string[] = []
  let unpacked: Record<string, Uint8Array>
  try {
    unpacked = unzipSync(file, {
      filter({ name, originalSize }) {
        // However many the archive claims to have.
        if (names.push(name) > maxEntries) throw new RangeError()
        return name === contentTypes && originalSize <= maxContentTypesBytes
      },
    })
  } catch {
    return {}
  }
  const has = (sign: RegExp) => names.some((name) => sign.test(name))
  if (openDocument) {
    const type = [fileTypes.odt, fileTypes.ods, fileTypes.odp].find(
      ({ mediaType }) => mediaType === openDocument[1],
    )
    if (has(/^encrypted-package$/)) return { type, hazard: "password" }
    return { type, hazard: has(/^(?:Basic|Scripts)\/.*[^/]$/i) ? "macros" : undefined }
  }
  if (!names.includes(contentTypes)) return { type: has(/vbaProject\.bin$/i) ? undefined : fileTypes.zip }
  const type = has(/^word\//)
    ? fileTypes.docx
    : has(/^xl\//)
      ? fileTypes.xlsx
      : has(/^ppt\//)
        ? fileTypes.pptx
        : undefined
  // A part is what it is declared as, whatever its name. No program writes a type as character references.
  const declared = Buffer.from(unpacked[contentTypes] ?? [])
    .toString("latin1")
    .replaceAll("\0", "")
  if (declared === "") return {}
  const isDeclared = /vbaProject|macroEnabled|macrosheet|&#/i.test(declared)
  const hasMacros = isDeclared || has(/vbaProject\.bin$|^xl\/(?:intl)?macrosheets\/./i)
  return { type, hazard: type && hasMacros ? "macros" : undefined }
}

/** Documents of older offices: their main stream has a name. Installers and mails are of the same make. */
function compound(content: Buffer): JudgedFile {
  const file = openCompoundFile(content)
  if (!file) return {}
  // The newer formats, under a password.
  if (file.holds("EncryptedPackage")) return { hazard: "password" }
  const withMacros = (has: boolean) => (has || file.names.has("_VBA_PROJECT") ? "macros" : undefined)
  if (file.holds("WordDocument")) return { type: fileTypes.doc, hazard: withMacros(false) }
  if (file.holds("PowerPoint Document"))
    return { type: fileTypes.ppt, hazard: withMacros(content.includes(macrosOfSlides)) }
  const book = ["Workbook", "Book"].find(file.holds)
  if (!book) return {}
  const hazard = hazardOfWorkbook(file.read(book, maxWorkbookBytes))
  return { type: fileTypes.xls, hazard: withMacros(hazard === "macros") ?? hazard }
}

/** The record that a presentation has a project of macros, which is itself packed (MS-PPT, 2.4.10). */
const macrosOfSlides = Buffer.from("1f00ff031400000002000004" + "0c000000", "hex")

/** The list of sheets stands at the beginning. */
const maxWorkbookBytes = 4 * 1024 ** 2
/** Records of a workbook (MS-XLS): a sheet, a password, the end of what is about the whole. */
const records = { sheet: 0x85, password: 0x2f, end: 0x0a }
/** Kinds of sheets that are macros: of Excel 4, and modules of Excel 5. */
const macroSheets = [1, 6]

function hazardOfWorkbook(stream: Buffer): FileHazard | undefined {
  for (let at = 0; at + 4 <= stream.length; at += 4 + stream.readUInt16LE(at + 2)) {
    const record = stream.readUInt16LE(at)
    // Nothing behind it can be read.
    if (record === records.password) return "password"
    if (record === records.sheet && macroSheets.includes(stream[at + 9] ?? 0)) return "macros"
    if (record === records.end) return undefined
  }
  return undefined
}

/** Text in any code page, or in UTF-16 behind its mark: no control characters but blanks. */
function isText(file: Buffer): boolean {
  const mark = file.toString("latin1", 0, 2)
  const isWide = mark === "\xff\xfe" || mark === "\xfe\xff"
  if (isWide && file.length % 2 !== 0) return false
  const ordered = mark === "\xfe\xff" ? Buffer.from(file).swap16() : file
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return !/[\0-\b\v\x0e-\x1f]/.test(ordered.toString(isWide ? "utf16le" : "latin1"))
}
