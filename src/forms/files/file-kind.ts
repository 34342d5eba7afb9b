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
/** Kinds that office programs write. */
export const documentKinds: readonly FileKind[] = ["document", "sheet", "slides"]

export interface FileType {
  kind: FileKind
  mediaType: string
  /** Endings of its names; the first is given to a name that has none of them. */
  endings: readonly [string, ...string[]]
}

const openXml = "application/vnd.openxmlformats-officedocument"
const openDocument = "application/vnd.oasis.opendocument"

export const fileTypes = {
  pdf: type("pdf", "application/pdf", "pdf"),
  jpeg: type("image", "image/jpeg", "jpg", "jpeg", "jfif"),
  png: type("image", "image/png", "png"),
  gif: type("image", "image/gif", "gif"),
  webp: type("image", "image/webp", "webp"),
  heic: type("image", "image/heic", "heic", "heif"),
  avif: type("image", "image/avif", "avif"),
  tiff: type("image", "image/tiff", "tif", "tiff"),
  bmp: type("image", "image/bmp", "bmp", "dib"),
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
  aac: type("audio", "audio/aac", "aac"),
  amr: type("audio", "audio/amr", "amr"),
  "3gp with sound": type("audio", "audio/3gpp", "3gp", "3ga"),
  "webm with sound": type("audio", "audio/webm", "weba", "webm", "mka"),
  wav: type("audio", "audio/wav", "wav"),
  ogg: type("audio", "audio/ogg", "ogg", "oga", "opus"),
  flac: type("audio", "audio/flac", "flac"),
  mp4: type("video", "video/mp4", "mp4", "m4v"),
  "3gp": type("video", "video/3gpp", "3gp", "3gpp", "3g2"),
  mov: type("video", "video/quicktime", "mov"),
  webm: type("video", "video/webm", "webm", "mkv"),
  zip: type("archive", "application/zip", "zip"),
} satisfies Record<string, FileType>

function type(kind: FileKind, mediaType: string, ...endings: [string, ...string[]]): FileType {
  return { kind, mediaType, endings }
}

/**
 * Offered by a file input of these kinds: the endings of their names, and any picture beside those of pictures, since
 * phones offer their camera for that alone.
 */
export function offeredFiles(kinds: readonly FileKind[]): string[] {
  const endings = Object.values(fileTypes)
    .filter(({ kind }) => kinds.includes(kind))
    .flatMap(({ endings }) => endings.map((ending) => `.${ending}`))
  return [...new Set(endings), ...(kinds.includes("image") ? ["image/*"] : [])]
}
