import { type Detail, detail } from "../../base/errors.ts"

/** One part of a multipart body that is no file: its field and its text. */
export interface TextPart {
  name: string
  text: string
}

/** A file of a multipart body, as it came. */
export interface FilePart {
  name: string
  fileName: string
  content: Uint8Array
}

export interface Multipart {
  parts: TextPart[]
  files: FilePart[]
}

/**
 * Reads multipart/form-data (RFC 7578) as clients write it: blanks around and behind the boundary, bare line
 * feeds, unquoted names, folded headers, texts in quoted-printable, base64 or another charset, words before the
 * first part. Bun's own reader drops or refuses these. Returns a detail that says what cannot be read, so that no
 * typed text is lost silently. Reads at most `maxParts`.
 */
export function readMultipartBody(
  body: Uint8Array,
  contentType: string,
  maxParts: number,
): Multipart | Detail {
  const boundary = parameterOf(contentType, "boundary")
  if (!boundary || boundary.length > maxBoundaryLength) return detail("forms.noBoundary")
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const delimiters = delimitersOf(bytes, Buffer.from(`--${boundary}`, "latin1"), maxParts + 1)
  if (delimiters.length === 0) return detail("forms.otherBoundary")
  if (delimiters.length > maxParts) return detail("forms.tooLarge")
  if (!delimiters.at(-1)?.isLast) return detail("forms.cutMultipart")
  const found: Multipart = { parts: [], files: [] }
  for (const [at, { end }] of delimiters.slice(0, -1).entries()) {
    const part = readPart(bytes.subarray(end, delimiters[at + 1]?.start))
    if ("code" in part) return part
    if ("text" in part) found.parts.push(part)
    // A file input left empty sends a file without name or content, which is none.
    else if (part.fileName !== "" || part.content.length > 0) found.files.push(part)
  }
  return found
}

/** RFC 2046 allows 70. */
const maxBoundaryLength = 200

interface Delimiter {
  /** Where the line end before it begins, which belongs to it. */
  start: number
  end: number
  isLast: boolean
}

/** The lines that are the boundary and nothing else, up to the one that ends the body. */
function delimitersOf(body: Buffer, line: Buffer, most: number): Delimiter[] {
  const found: Delimiter[] = []
  const is = (at: number, sign: string) => body[at] === sign.charCodeAt(0)
  for (
    let at = body.indexOf(line);
    at !== -1 && found.length < most;
    at = body.indexOf(line, at + line.length)
  ) {
    if (at > 0 && !is(at - 1, "\n")) continue
    const after = at + line.length
    const isLast = is(after, "-") && is(after + 1, "-")
    let end = after + (isLast ? 2 : 0)
    while (is(end, " ") || is(end, "\t")) end++
    if (is(end, "\r")) end++
    if (is(end, "\n")) end++
    else if (!isLast) continue
    found.push({ start: is(at - 2, "\r") ? at - 2 : Math.max(0, at - 1), end, isLast })
    if (isLast) break
  }
  return found
}

/** Clients write a few hundred bytes. */
const maxHeaderBytes = 16 * 1024

function readPart(part: Buffer): TextPart | FilePart | Detail {
  const [headers, content] = splitPart(part)
  const disposition = headers.get("content-disposition") ?? ""
  const name = parameterOf(disposition, "name")
  if (name === undefined) return detail("forms.partWithoutName")
  const fileName = parameterOf(disposition, "filename") ?? parameterOf(disposition, "filename*")
  const encoding = (headers.get("content-transfer-encoding") ?? "8bit").toLowerCase()
  const fieldName = decoded(Buffer.from(name, "latin1"), "utf-8")
  const isFile = fileName !== undefined
  const decode = decoders[encoding]
  const charset = parameterOf(headers.get("content-type") ?? "", "charset") ?? "utf-8"
  const isRead = isFile ? /^(?:7bit|8bit|binary)$/.test(encoding) : decode
  if (isFile && isRead && fieldName !== undefined)
    return { name: fieldName, fileName: Buffer.from(fileName, "latin1").toString(), content }
  const text = isFile
    ? undefined
    : decode && decoded(Buffer.from(decode(content.toString("latin1")), "latin1"), charset)
  if (text === undefined || fieldName === undefined)
    return detail("forms.partEncoding", { name: fieldName ?? "?", encoding: isRead ? charset : encoding })
  return { name: fieldName, text }
}

/** The headers of a part, and its content behind the first blank line. */
function splitPart(part: Buffer): [headers: Map<string, string>, content: Buffer] {
  // One character a byte: places in the text are places in the part.
  const begin = part.subarray(0, maxHeaderBytes).toString("latin1")
  const blankLine = /^\r?\n/.exec(begin) ?? /\r?\n\r?\n/.exec(begin)
  const end = blankLine?.index ?? begin.length
  return [headersOf(begin.slice(0, end)), part.subarray(end + (blankLine?.[0].length ?? 0))]
}

function headersOf(text: string): Map<string, string> {
  const lines = text.replace(/\r?\n[ \t]+/g, " ").split("\n")
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(":")
      return [line.slice(0, Math.max(0, colon)).trim().toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
}

/** `name="a"`, `name=a`; browsers write a quote in a name as `%22`, others as `\"`. */
function parameterOf(header: string, name: string): string | undefined {
  for (const [, key = "", quoted, bare = ""] of header.matchAll(parameters))
    if (key.toLowerCase() === name) return quoted?.replace(/\\(["\\])/g, "$1").replaceAll("%22", '"') ?? bare
  return undefined
}

const parameters = /;[ \t]*([\w*-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g

const decoders: Record<string, ((content: string) => string) | undefined> = {
  "7bit": (content) => content,
  "8bit": (content) => content,
  binary: (content) => content,
  base64: (content) => Buffer.from(content, "base64").toString("latin1"),
  "quoted-printable": (content) =>
    content
      .replace(/=[ \t]*\r?\n/g, "")
      .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
}

/** Undefined where the charset is unknown or the bytes are none of it. */
function decoded(bytes: Uint8Array, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
