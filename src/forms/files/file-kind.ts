import { unzipSync } from "fflate"

/** A kind of file that a field takes, as owners choose it. */
export const fileKinds = [
  "pdf",
  "image",
  "document",
  "sheet",
  "slides",
  "text",
  "audio",
  "video",
  "archive",
] as const
export type FileKind = (typeof fileKinds)[number]

/** A type of file that is told by its content. */
export interface FileType {
  kind: FileKind
  mediaType: string
  /** Endings of its names; the first is given to a name that has none of them. */
  endings: readonly [string, ...string[]]
}

const openXml = "application/vnd.openxmlformats-officedocument"
const openDocument = "application/vnd.oasis.opendocument"

const types = {
  pdf: type("pdf", "application/pdf", "pdf"),
  jpeg: type("image", "image/jpeg", "jpg", "jpeg", "jfif"),
  png: type("image", "image/png", "png"),
  gif: type("image", "image/gif", "gif"),
  webp: type("image", "image/webp", "webp"),
  heic: type("image", "image/heic", "heic", "heif"),
  avif: type("image", "image/avif", "avif"),
  tiff: type("image", "image/tiff", "tif", "tiff"),
  docx: type("document", `${openXml}.wordprocessingml.document`, "docx"),
  odt: type("document", `${openDocument}.text`, "odt"),
  doc: type("document", "application/msword", "doc"),
  rtf: type("document", "application/rtf", "rtf"),
  xlsx: type("sheet", `${openXml}.spreadsheetml.sheet`, "xlsx"),
  ods: type("sheet", `${openDocument}.spreadsheet`, "ods"),
  xls: type("sheet", "application/vnd.ms-excel", "xls"),
  pptx: type("slides", `${openXml}.presentationml.presentation`, "pptx"),
  odp: type("slides", `${openDocument}.presentation`, "odp"),
  ppt: type("slides", "application/vnd.ms-powerpoint", "ppt"),
  text: type("text", "text/plain", "txt", "csv", "md", "tsv", "log"),
  mp3: type("audio", "audio/mpeg", "mp3"),
  m4a: type("audio", "audio/mp4", "m4a"),
  wav: type("audio", "audio/wav", "wav"),
  ogg: type("audio", "audio/ogg", "ogg", "oga", "opus"),
  flac: type("audio", "audio/flac", "flac"),
  mp4: type("video", "video/mp4", "mp4", "m4v"),
  mov: type("video", "video/quicktime", "mov"),
  webm: type("video", "video/webm", "webm", "mkv"),
  zip: type("archive", "application/zip", "zip"),
} satisfies Record<string, FileType>

function type(kind: FileKind, mediaType: string, ...endings: [string, ...string[]]): FileType {
  return { kind, mediaType, endings }
}

/** Endings of the names of these kinds, as a file input offers them. */
export function endingsOf(kinds: readonly FileKind[]): string[] {
  return Object.values(types)
    .filter(({ kind }) => kinds.includes(kind))
    .flatMap(({ endings }) => endings.map((ending) => `.${ending}`))
}

/** Signs at a place of the content, as Latin-1. In order: the first that is there tells the type. */
const marks: readonly [at: number, sign: RegExp | string, type: FileType][] = [
  [0, /^%PDF-\d/, types.pdf],
  [0, /^\xff\xd8\xff/, types.jpeg],
  [0, "\x89PNG\r\n\x1a\n", types.png],
  [0, /^GIF8[79]a/, types.gif],
  [0, /^RIFF[\s\S]{4}WEBP/, types.webp],
  [0, /^RIFF[\s\S]{4}WAVE/, types.wav],
  [0, "II*\0", types.tiff],
  [0, "MM\0*", types.tiff],
  [0, /^\{\\rtf1/, types.rtf],
  [0, /^(?:ID3|\xff[\xf2\xf3\xfa\xfb])/, types.mp3],
  [0, /^OggS/, types.ogg],
  [0, /^fLaC/, types.flac],
  [0, "\x1a\x45\xdf\xa3", types.webm],
  [4, /^ftyp(?:hei|hev|mif1|msf1)/, types.heic],
  [4, /^ftypavi[fs]/, types.avif],
  [4, /^ftypM4[AB] /, types.m4a],
  [4, /^ftypqt {2}/, types.mov],
  [4, /^ftyp(?:iso|mp4|avc1|M4V|3gp|dash|MSNV)/, types.mp4],
]

/**
 * The type of a file by its content alone; undefined for one of no known type. Whatever a file claims beside, it is
 * only ever handed out as this type.
 */
export function typeOfContent(content: Uint8Array): FileType | undefined {
  const begin = latin1(content.subarray(0, 64))
  for (const [at, sign, type] of marks) {
    const found = begin.slice(at)
    if (typeof sign === "string" ? found.startsWith(sign) : sign.test(found)) return type
  }
  if (begin.startsWith("PK\x03\x04")) return zipped(content)
  if (begin.startsWith("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) return compound(content)
  return isText(content) ? types.text : undefined
}

/** Documents have some dozen, archives with more are of no type. */
const maxEntries = 10_000

/** Documents of offices are ZIP archives; those with macros are of no type. Nothing is unpacked. */
function zipped(content: Uint8Array): FileType | undefined {
  // The first entry of OpenDocument is its type, as it stands, behind a header of 30 bytes.
  const first = /^mimetype(application\/vnd\.oasis\.opendocument\.[a-z]+)/.exec(
    latin1(content.subarray(30, 120)),
  )
  const names: string[] = []
  try {
    unzipSync(content, {
      filter({ name }) {
        // However many the archive claims to have.
        if (names.push(name) > maxEntries) throw new RangeError()
        return false
      },
    })
  } catch {
    return undefined
  }
  const has = (sign: RegExp) => names.some((name) => sign.test(name))
  if (has(/vbaProject\.bin$/i)) return undefined
  if (first) return [types.odt, types.ods, types.odp].find(({ mediaType }) => mediaType === first[1])
  if (!names.includes("[Content_Types].xml")) return types.zip
  if (has(/^word\//)) return types.docx
  if (has(/^xl\//)) return types.xlsx
  return has(/^ppt\//) ? types.pptx : undefined
}

/** Documents of older offices: their main stream has a name. Installers and mails are of the same make. */
function compound(content: Uint8Array): FileType | undefined {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const has = (name: string) => bytes.includes(Buffer.from(name, "utf16le"))
  if (has("WordDocument")) return types.doc
  if (has("PowerPoint Document")) return types.ppt
  return has("Workbook") ? types.xls : undefined
}

/** Text in any code page: no control characters but blanks. */
function isText(content: Uint8Array): boolean {
  for (let at = 0; at < content.length; at++) {
    const byte = content[at] as number
    if (byte < 0x20 && (byte < 0x09 || byte > 0x0d || byte === 0x0b)) return false
  }
  return true
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")
}
