import { type Detail, detail } from "../../base/errors.ts"

/** One part of a multipart body that is no file: its field and its text. */
export interface TextPart {
  name: string
  text: string
}

export interface Multipart {
  parts: TextPart[]
  hasFiles: boolean
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
  // One character a byte: places in the text are places in the body.
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1")
  const delimiters = delimitersOf(text, `--${boundary}`, maxParts + 1)
  if (delimiters.length === 0) return detail("forms.otherBoundary")
  if (delimiters.length > maxParts) return detail("forms.tooLarge")
  if (!delimiters.at(-1)?.isLast) return detail("forms.cutMultipart")
  const found: Multipart = { parts: [], hasFiles: false }
  for (const [at, { end }] of delimiters.slice(0, -1).entries()) {
    const part = readPart(text.slice(end, delimiters[at + 1]?.start))
    if ("code" in part) return part
    if ("isFile" in part) found.hasFiles ||= part.isFile
    else found.parts.push(part)
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
function delimitersOf(text: string, line: string, most: number): Delimiter[] {
  const found: Delimiter[] = []
  for (
    let at = text.indexOf(line);
    at !== -1 && found.length < most;
    at = text.indexOf(line, at + line.length)
  ) {
    if (at > 0 && text[at - 1] !== "\n") continue
    const isLast = text.startsWith("--", at + line.length)
    let end = at + line.length + (isLast ? 2 : 0)
    while (text[end] === " " || text[end] === "\t") end++
    if (text[end] === "\r") end++
    if (text[end] === "\n") end++
    else if (!isLast) continue
    found.push({ start: text[at - 2] === "\r" ? at - 2 : Math.max(0, at - 1), end, isLast })
    if (isLast) break
  }
  return found
}

/** A file input left empty sends a file without name or content, which is no file. */
function readPart(part: string): TextPart | { isFile: boolean } | Detail {
  const [blankLine = "", at] = /^\r?\n/.test(part) ? [/^\r?\n/.exec(part)?.[0], 0] : blankLineOf(part)
  const headers = headersOf(part.slice(0, at))
  const disposition = headers.get("content-disposition") ?? ""
  const content = part.slice(at + blankLine.length)
  const name = parameterOf(disposition, "name")
  if (name === undefined) return detail("forms.partWithoutName")
  const fileName = parameterOf(disposition, "filename") ?? parameterOf(disposition, "filename*")
  if (fileName !== undefined) return { isFile: fileName !== "" || content !== "" }
  const encoding = (headers.get("content-transfer-encoding") ?? "8bit").toLowerCase()
  const decode = decoders[encoding]
  const charset = parameterOf(headers.get("content-type") ?? "", "charset") ?? "utf-8"
  const text = decode && decoded(Buffer.from(decode(content), "latin1"), charset)
  const fieldName = decoded(Buffer.from(name, "latin1"), "utf-8")
  if (text === undefined || fieldName === undefined)
    return detail("forms.partEncoding", { name: fieldName ?? "?", encoding: decode ? charset : encoding })
  return { name: fieldName, text }
}

/** The end of the headers, and where it stands; the whole part is headers where there is none. */
function blankLineOf(part: string): [blankLine: string, at: number] {
  const found = /\r?\n\r?\n/.exec(part)
  return found ? [found[0], found.index] : ["", part.length]
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
