import { ownTick } from "../../base/async.ts"
import { type Detail, detail } from "../../base/errors.ts"

/** One part of a multipart body that is no file: its field and its text. */
export interface TextPart {
  name: string
  text: string
}

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
 * first part. Bun's own reader drops or refuses these. Resolves to a detail that says what cannot be read, so that no
 * typed text is lost silently. Reads at most `maxParts`, with as many bytes of headers and of texts as below, and
 * returns to the event loop between them.
 */
export async function readMultipartBody(
  body: Uint8Array,
  contentType: string,
  maxParts: number,
): Promise<Multipart | Detail> {
  const boundary = headerParameters(contentType).get("boundary")
  if (!boundary || boundary.length > maxBoundaryLength) return detail("forms.noBoundary")
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const delimiters = findDelimiters(bytes, Buffer.from(`--${boundary}`, "latin1"), maxParts + 1)
  if (!delimiters) return detail("forms.tooLarge")
  if (delimiters.length === 0) return detail("forms.otherBoundary")
  if (!delimiters.at(-1)?.isLast) return detail("forms.cutMultipart")
  const content: Multipart = { parts: [], files: [] }
  let [headerBytes, textBytes] = [0, 0]
  for (const [at, { end }] of delimiters.slice(0, -1).entries()) {
    if (at % partsInTick === partsInTick - 1) await ownTick()
    const part = splitPart(bytes.subarray(end, delimiters[at + 1]?.start))
    if (!part) return detail("forms.partHeaders")
    headerBytes += part.headerBytes
    if (part.fileName === undefined) textBytes += part.content.length
    if (headerBytes > maxHeaderBytes || textBytes > maxTextBytes) return detail("forms.tooLarge")
    const read = readPart(part)
    if ("code" in read) return read
    if ("text" in read) content.parts.push(read)
    // A file input left empty sends a file without name or content.
    else if (read.fileName !== "" || read.content.length > 0) content.files.push(read)
  }
  return content
}

/** Clients write a few hundred bytes for a part, of which a long file name takes most. */
const maxPartHeaderBytes = 2 * 1024
const maxHeaderBytes = 512 * 1024
/** As they come, before they are decoded. */
const maxTextBytes = 1024 * 1024
/** They take a millisecond or two. */
const partsInTick = 500

/** RFC 2046 allows 70. */
const maxBoundaryLength = 200
const maxBlanks = 200

interface Delimiter {
  /** Where the line end before it begins, which belongs to it. */
  start: number
  end: number
  isLast: boolean
}

/** Up to the one that ends the body. Undefined where more than `most` lines begin with it. */
function findDelimiters(body: Buffer, line: Buffer, most: number): Delimiter[] | undefined {
  const delimiters: Delimiter[] = []
  const is = (at: number, sign: string) => body[at] === sign.charCodeAt(0)
  let begun = 0
  for (const at of linesBeginningWith(body, line)) {
    if (++begun > most) return undefined
    const after = at + line.length
    const isLast = is(after, "-") && is(after + 1, "-")
    const behind = after + (isLast ? 2 : 0)
    let end = behind
    while (end < behind + maxBlanks && (is(end, " ") || is(end, "\t"))) end++
    if (is(end, "\r")) end++
    if (is(end, "\n")) end++
    else if (!isLast) continue
    delimiters.push({ start: is(at - 2, "\r") ? at - 2 : Math.max(0, at - 1), end, isLast })
    if (isLast) break
  }
  return delimiters
}

function* linesBeginningWith(body: Buffer, beginning: Buffer): Generator<number> {
  if (body.subarray(0, beginning.length).equals(beginning)) yield 0
  const inner = Buffer.concat([Buffer.from("\n"), beginning])
  for (let at = body.indexOf(inner); at !== -1; at = body.indexOf(inner, at + inner.length)) yield at + 1
}

interface Part {
  name: string | undefined
  /** Undefined where it is no file. */
  fileName: string | undefined
  encoding: string
  charset: string
  headerBytes: number
  content: Buffer
}

/** The headers of a part, and its content behind the first blank line. Undefined where they are too long. */
function splitPart(part: Buffer): Part | undefined {
  // One character a byte: places in the text are places in the part.
  const begin = part.subarray(0, maxPartHeaderBytes).toString("latin1")
  const blankLine = /^\r?\n/.exec(begin) ?? /\r?\n\r?\n/.exec(begin)
  if (!blankLine && part.length > maxPartHeaderBytes) return undefined
  const end = blankLine?.index ?? begin.length
  const headerBytes = end + (blankLine?.[0].length ?? 0)
  const headers = partHeaders(begin.slice(0, end))
  const disposition = headerParameters(headers.get("content-disposition"))
  return {
    name: disposition.get("name"),
    fileName: disposition.get("filename") ?? disposition.get("filename*"),
    encoding: (headers.get("content-transfer-encoding") ?? "8bit").toLowerCase(),
    charset: headerParameters(headers.get("content-type")).get("charset") ?? "utf-8",
    headerBytes,
    content: part.subarray(headerBytes),
  }
}

function readPart({ name, fileName, encoding, charset, content }: Part): TextPart | FilePart | Detail {
  if (name === undefined) return detail("forms.partWithoutName")
  const fieldName = decoded(Buffer.from(name, "latin1"), "utf-8")
  const isFile = fileName !== undefined
  const decode = decoders[encoding]
  const isRead = isFile ? /^(?:7bit|8bit|binary)$/.test(encoding) : decode
  if (isFile && isRead && fieldName !== undefined)
    return { name: fieldName, fileName: Buffer.from(fileName, "latin1").toString(), content }
  const text = isFile ? undefined : decode && decoded(decode(content), charset)
  if (text === undefined || fieldName === undefined)
    return detail("forms.partEncoding", { name: fieldName ?? "?", encoding: isRead ? charset : encoding })
  return { name: fieldName, text }
}

function partHeaders(text: string): Map<string, string> {
  const lines = text.replace(/\r?\n[ \t]+/g, " ").split("\n")
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(":")
      return [line.slice(0, Math.max(0, colon)).trim().toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
}

/** `; name="a"; name=b` by name, of two the first. Browsers write a quote in a value as `%22`, others as `\"`. */
function headerParameters(header = ""): Map<string, string> {
  const byName = new Map<string, string>()
  for (const [, key = "", quoted, bare = ""] of header.matchAll(parameters))
    byName.getOrInsert(key.toLowerCase(), quoted?.replace(/\\(["\\])/g, "$1").replaceAll("%22", '"') ?? bare)
  return byName
}

const parameters = /;[ \t]*([\w*-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g

const same = (content: Buffer) => content
const decoders: Record<string, ((content: Buffer) => Buffer) | undefined> = {
  "7bit": same,
  "8bit": same,
  binary: same,
  base64: (content) => Buffer.from(content.toString("latin1"), "base64"),
  "quoted-printable": fromQuotedPrintable,
}

/** `=C3=A9` as the bytes that it stands for. What is no such number stays as it is. */
function fromQuotedPrintable(content: Buffer): Buffer {
  const bytes = Buffer.from(content.toString("latin1").replace(/=[ \t]*\r?\n/g, ""), "latin1")
  const digitAt = (at: number) => hexDigits[bytes[at] ?? 0] ?? Number.NaN
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes[at] === equals ? 16 * digitAt(at + 1) + digitAt(at + 2) : Number.NaN
    bytes[length++] = Number.isNaN(code) ? (bytes[at] as number) : code
    if (!Number.isNaN(code)) at += 2
  }
  return bytes.subarray(0, length)
}

const equals = "=".charCodeAt(0)
/** By the byte of the digit. */
const hexDigits = Array.from({ length: 256 }, (_, byte) => Number.parseInt(String.fromCharCode(byte), 16))

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Undefined where the charset is unknown or the bytes are none of it. */
function decoded(bytes: Uint8Array, charset: string): string | undefined {
  try {
    const decoder =
      charset.toLowerCase() === "utf-8" ? utf8 : new TextDecoder(charset, { fatal: true, ignoreBOM: true })
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}
