import { isUtf8 } from "node:buffer"
import { detail, Refusal } from "../../base/errors.ts"
import { isObject } from "../../base/names.ts"
import { oneLine } from "../../base/text.ts"
import { readBody } from "../../http/body.ts"
import { type FilePart, readMultipartBody } from "../../http/files/multipart.ts"
import type { Room } from "../../http/files/room.ts"

/** Content of a form post, before it is checked against the form. */
export interface Post {
  /** Texts by name. The last of several with one name wins, as for a checkbox after its hidden twin. */
  texts: Map<string, string>
  /** Every text by name, in order. A list of a JSON post stands here alone. */
  lists: Map<string, string[]>
  /** Names whose JSON value is an object or a list. */
  unreadable: Set<string>
  /** Files by name, in order. */
  files: Map<string, FilePart[]>
}

/** A message of 256 KB with every byte percent-encoded, and what stands around it. */
const maxBodyBytes = 1024 * 1024
/** Most URL-encoded fields, or JSON values with nested ones counted. A form has a hundred fields at most. */
const maxItems = 20_000
/** Each has headers, which are parsed. */
const maxParts = 10_000

const maxFileMegabytes = 25

/**
 * Throws Refusal `invalid_request` for a body that is too large, has too many items, is in no known format or
 * is not UTF-8; `unavailable` while the `room` of this process for the bodies of posts with files is taken.
 */
export async function readPost(request: Request, room: Room | undefined): Promise<Post> {
  const isRoomy = room && /^\s*multipart\/form-data\b/i.test(request.headers.get("content-type") ?? "")
  const maxBytes = maxBodyBytes + (isRoomy ? maxFileMegabytes * 1024 ** 2 : 0)
  const body = await readBody(request, maxBytes, isRoomy ? room : undefined).catch((error) => {
    throw error instanceof Refusal ? error : unreadable()
  })
  if (!body)
    throw new Refusal(
      "invalid_request",
      isRoomy ? detail("forms.filesTooLarge", { megabytes: maxFileMegabytes }) : detail("forms.tooLarge"),
    )
  const contentType = request.headers.get("content-type") ?? ""
  const [format = ""] = contentType.toLowerCase().split(";")
  const coding = request.headers.get("content-encoding")?.trim().toLowerCase() || "identity"
  if (coding !== "identity") throw new Refusal("invalid_request", detail("forms.compressed", { coding }))
  switch (format.trim()) {
    case "application/x-www-form-urlencoded":
      return readUrlEncoded(decodedText(plusesAsBlanks(body)))
    case "multipart/form-data":
      return readMultipart(body, contentType)
    case "application/json":
      return readJson(decodedText(body))
    default:
      throw new Refusal(
        "invalid_request",
        format.trim() === ""
          ? detail("forms.noFormat")
          : detail("forms.unknownFormat", { format: oneLine(format, 60) }),
      )
  }
}

/** `URLSearchParams` replaces bytes that are not UTF-8: what was typed would be lost silently. */
function readUrlEncoded(body: string): Post {
  const post = emptyPost()
  const pairs = body.split("&", maxItems + 1)
  if (pairs.length > maxItems) throw new Refusal("invalid_request", detail("forms.tooLarge"))
  for (const pair of pairs) {
    if (pair === "") continue
    const equals = pair.indexOf("=")
    const name = equals === -1 ? pair : pair.slice(0, equals)
    addText(post, percentDecoded(name), equals === -1 ? "" : percentDecoded(pair.slice(equals + 1)))
  }
  return post
}

/** Changes the bytes themselves: a text of a million plus signs takes twenty times as long. */
function plusesAsBlanks(body: Uint8Array): Uint8Array {
  for (let at = 0; at < body.length; at++) if (body[at] === plus) body[at] = blank
  return body
}

const [plus, blank] = [0x2b, 0x20]

function percentDecoded(text: string): string {
  if (!text.includes("%")) return text
  try {
    // Replaced run by run: a megabyte of percent signs costs one replacement.
    return decodeURIComponent(text.replace(/%+(?![0-9a-f]{2})/gi, (run) => "%25".repeat(run.length)))
  } catch {
    throw unreadable()
  }
}

async function readMultipart(body: Uint8Array, contentType: string): Promise<Post> {
  const read = await readMultipartBody(body, contentType, maxParts)
  if ("code" in read) throw new Refusal("invalid_request", read)
  const post = { ...emptyPost(), files: Map.groupBy(read.files, ({ name }) => name) }
  for (const { name, text } of read.parts) addText(post, name, text)
  return post
}

function readJson(body: string): Post {
  const post = emptyPost()
  if (hasTooManyItems(body)) throw new Refusal("invalid_request", detail("forms.tooLarge"))
  const value = parsedJson(body)
  if (!isObject(value)) throw new Refusal("invalid_request", detail("forms.notAnObject"))
  for (const [name, item] of Object.entries(value)) {
    if (item === null) continue
    if (typeof item !== "object") addText(post, name, String(item))
    else {
      post.unreadable.add(name)
      if (isListOfTexts(item)) post.lists.set(name, item.map(String))
    }
  }
  return post
}

function isListOfTexts(value: object): value is (string | number | boolean)[] {
  return Array.isArray(value) && value.every((item) => item !== null && typeof item !== "object")
}

function addText(post: Post, name: string, text: string): void {
  post.texts.set(name, text)
  post.lists.getOrInsert(name, []).push(text)
}

const [quote, backslash, comma, bracket, brace] = [...'"\\,[{'].map((sign) => sign.charCodeAt(0))

/** Counts before parsing, because parsing calls a function for every value to keep numbers as written. */
function hasTooManyItems(json: string): boolean {
  let items = 0
  let isQuoted = false
  for (let at = 0; at < json.length && items <= maxItems; at++) {
    const code = json.charCodeAt(at)
    if (code === quote) isQuoted = !isQuoted
    else if (code === backslash) at++
    else if (!isQuoted && (code === comma || code === bracket || code === brace)) items++
  }
  return items > maxItems
}

/** Keeps a number as it was written: a JavaScript number changes digits after the fifteenth. */
function parsedJson(text: string): unknown {
  const asWritten = (_: string, value: unknown, context?: { source: string }) =>
    typeof value === "number" ? (context?.source ?? value) : value
  try {
    return JSON.parse(text, asWritten)
  } catch {
    return undefined
  }
}

function decodedText(body: Uint8Array): string {
  if (!isUtf8(body)) throw unreadable()
  return new TextDecoder().decode(body)
}

function emptyPost(): Post {
  return { texts: new Map(), lists: new Map(), unreadable: new Set(), files: new Map() }
}

function unreadable(): Refusal {
  return new Refusal("invalid_request", detail("forms.unreadablePost"))
}
