import { isUtf8 } from "node:buffer"
import { detail, Refusal } from "../../base/errors.ts"
import { readBody } from "../../http/body.ts"

/** What a page or a program posted to a form, before anything is made of it. */
export interface Post {
  /** By name, as text; of several with one name the last, as a checkbox after its hidden twin. */
  texts: Map<string, string>
  /** Names of what is no text: an object or a list of JSON. */
  unreadable: Set<string>
  hasFiles: boolean
}

/**
 * A message of 256 KB whose every byte is percent-encoded takes three times as much; the names, the consent's
 * wording and a multipart's separators take the rest.
 */
const maxBodyBytes = 1024 * 1024
/** Fields, parts, or values of JSON with what is nested in them: a form has a hundred fields at most. */
const maxItems = 20_000

/**
 * Throws Refusal `invalid_request` for a body that is too large, of too many parts, in no known format or not
 * in UTF-8.
 */
export async function readPost(request: Request): Promise<Post> {
  const body = await readBody(request, maxBodyBytes).catch(() => {
    throw unreadable()
  })
  if (!body) throw new Refusal("invalid_request", detail("forms.tooLarge"))
  const contentType = request.headers.get("content-type") ?? ""
  const [format = ""] = contentType.toLowerCase().split(";")
  switch (format.trim()) {
    case "application/x-www-form-urlencoded":
      return readUrlEncoded(textOf(body))
    case "multipart/form-data":
      return readMultipart(body, contentType)
    case "application/json":
      return readJson(textOf(body))
    default:
      throw new Refusal("invalid_request", detail("forms.unknownFormat"), {
        reason: `content type ${JSON.stringify(format.trim())}`,
      })
  }
}

/**
 * `URLSearchParams` would put a replacement character for what is not UTF-8, and what was typed would be lost
 * in silence.
 */
function readUrlEncoded(body: string): Post {
  const post = emptyPost()
  const pairs = body.split("&", maxItems + 1)
  if (pairs.length > maxItems) throw new Refusal("invalid_request", detail("forms.tooLarge"))
  for (const pair of pairs) {
    if (pair === "") continue
    const equals = pair.indexOf("=")
    const name = equals === -1 ? pair : pair.slice(0, equals)
    post.texts.set(percentDecoded(name), equals === -1 ? "" : percentDecoded(pair.slice(equals + 1)))
  }
  return post
}

function percentDecoded(text: string): string {
  const spaced = text.replaceAll("+", " ")
  if (!spaced.includes("%")) return spaced
  try {
    return decodeURIComponent(spaced.replace(/%(?![0-9a-f]{2})/gi, "%25"))
  } catch {
    throw unreadable()
  }
}

async function readMultipart(body: Uint8Array, contentType: string): Promise<Post> {
  const post = emptyPost()
  const parsed = new Response(body as Uint8Array<ArrayBuffer>, { headers: { "content-type": contentType } })
  const parts = await parsed.formData().catch(() => {
    throw unreadable()
  })
  for (const [name, value] of parts) {
    if (typeof value === "string") post.texts.set(name, value)
    // A file input left empty sends a file without name or content.
    else if (value.size > 0 || value.name) post.hasFiles = true
  }
  if (!post.hasFiles) textOf(body)
  return post
}

function readJson(body: string): Post {
  const post = emptyPost()
  if (hasManyItems(body)) throw new Refusal("invalid_request", detail("forms.tooLarge"))
  const value = parsedJson(body)
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Refusal("invalid_request", detail("forms.notAnObject"))
  for (const [name, item] of Object.entries(value)) {
    if (item === null) continue
    if (typeof item === "object") post.unreadable.add(name)
    else post.texts.set(name, String(item))
  }
  return post
}

/** Told before it is parsed: numbers are kept as they were written at the price of a call for every value. */
function hasManyItems(json: string): boolean {
  let items = 0
  let isQuoted = false
  for (let at = 0; at < json.length && items <= maxItems; at++) {
    const character = json[at]
    if (character === '"') isQuoted = !isQuoted
    else if (character === "\\") at++
    else if (!isQuoted && (character === "," || character === "[" || character === "{")) items++
  }
  return items > maxItems
}

/** A number as it was written: of more than 15 digits, the number itself would keep others. */
function parsedJson(text: string): unknown {
  const asWritten = (_: string, value: unknown, context?: { source: string }) =>
    typeof value === "number" ? (context?.source ?? value) : value
  try {
    return JSON.parse(text, asWritten)
  } catch {
    return undefined
  }
}

function textOf(body: Uint8Array): string {
  if (!isUtf8(body)) throw unreadable()
  return new TextDecoder().decode(body)
}

function emptyPost(): Post {
  return { texts: new Map(), unreadable: new Set(), hasFiles: false }
}

function unreadable(): Refusal {
  return new Refusal("invalid_request", detail("forms.unreadablePost"))
}
