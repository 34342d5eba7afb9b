/** What an endpoint answered, as far as it has come. */
export interface Answer {
  /** HTTP status: 200 to 999. */
  status: number
  /** The beginning of its body, out of its chunks: at most 4 kB. */
  body: Buffer
  /** Whether the body is there to its end. */
  isWhole: boolean
  /** Packed in some way nobody asked for. */
  isPacked: boolean
  /** Whether the connection may carry another request: nothing is missing, nothing came unasked, and the other side stays. */
  mayContinue: boolean
}

/** What is kept of a body. */
export const maxBodyBytes = 4096
/** Of all heads together: an answer may be preceded by others that only inform. */
const maxHeadBytes = 32 * 1024

const protocolBytes = Buffer.from("HTTP/1.")
const headEnd = /\r?\n\r?\n/
const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?!\S)/
/** The fields that tell where a body ends and how it is packed; whatever else an application says is its own affair. Values are trimmed afterwards: a pattern that does so is tried at every blank. */
const framing = /^(content-length|transfer-encoding|content-encoding|connection)[ \t]*:(.*)$/gim

/**
 * Reads an HTTP/1.1 answer (RFC 9112) from all that came since the request was sent. `incomplete` as long as its head has not come;
 * `malformed` when this is no such answer, or a head without an end.
 */
export function answerIn(received: Buffer): Answer | "incomplete" | "malformed" {
  const heads = received.toString("latin1", 0, maxHeadBytes)
  for (let start = 0; ; ) {
    const begun = received.subarray(start, start + protocolBytes.length)
    if (!begun.equals(protocolBytes.subarray(0, begun.length))) return "malformed"
    const rest = heads.slice(start)
    const end = headEnd.exec(rest)
    if (!end) return received.length < maxHeadBytes ? "incomplete" : "malformed"
    const head = rest.slice(0, end.index)
    const [, minor, digits] = statusLine.exec(head) ?? []
    const status = Number(digits)
    // Nobody asked to switch to another protocol.
    if (digits === undefined || status === 101) return "malformed"
    start += end.index + end[0].length
    if (status >= 200) return answerOf(status, head, minor === "1", received.subarray(start))
  }
}

function answerOf(status: number, head: string, isPersistent: boolean, rest: Buffer): Answer | "malformed" {
  const fields = { "content-length": "", "transfer-encoding": "", "content-encoding": "", connection: "" }
  for (const [, name = "", value = ""] of head.matchAll(framing)) {
    const field = name.toLowerCase() as keyof typeof fields
    fields[field] += `${fields[field] && ","}${value.trim()}`
  }
  const encodings = fields["transfer-encoding"].toLowerCase()
  const [length, ...others] = fields["content-length"].split(",").map((text) => text.trim())
  if (!/^\d{0,15}$/.test(length ?? "") || others.some((other) => other !== length)) return "malformed"
  const isBodiless = status === 204 || status === 304
  const { body, isWhole, used } = isBodiless
    ? ofLength(rest, 0)
    : encodings
      ? ofChunks(rest)
      : ofLength(rest, length ? Number(length) : Number.POSITIVE_INFINITY)
  return {
    status,
    body,
    isWhole,
    isPacked: !/^(identity)?$/i.test(fields["content-encoding"]) || !/^(chunked)?$/.test(encodings),
    mayContinue:
      isWhole &&
      used === rest.length &&
      isPersistent &&
      !/\bclose\b/i.test(fields.connection) &&
      // Where one ends by both, somebody in between may have read it otherwise; and a body may follow where none may be.
      !(encodings && (length || isBodiless)) &&
      !(isBodiless && Number(length) > 0),
  }
}

interface Body {
  body: Buffer
  isWhole: boolean
  /** So many bytes of what came belong to it. */
  used: number
}

/** Endless: it goes on until the connection ends. */
function ofLength(rest: Buffer, length: number): Body {
  const used = Math.min(length, rest.length)
  return { body: rest.subarray(0, Math.min(used, maxBodyBytes)), isWhole: rest.length >= length, used }
}

/** What came before anything that is no chunk counts. */
function ofChunks(rest: Buffer): Body {
  const parts: Buffer[] = []
  const upTo = (used: number, isWhole: boolean): Body => {
    return { body: Buffer.concat(parts).subarray(0, maxBodyBytes), isWhole, used }
  }
  for (let at = 0, kept = 0; kept < maxBodyBytes; ) {
    const line = lineAt(rest, at)
    const size = /^[0-9a-f]{1,8}(?=[ \t]*(;|$))/i.exec(line ?? "")
    if (line === undefined || !size) return upTo(rest.length, false)
    at = rest.indexOf("\n", at) + 1
    const length = Number.parseInt(size[0], 16)
    if (length === 0) return upTo(...afterTrailers(rest, at))
    parts.push(rest.subarray(at, at + length))
    kept += length
    at += length
    // The line that a chunk ends with.
    if (lineAt(rest, at) !== "") break
    at = rest.indexOf("\n", at) + 1
  }
  return upTo(rest.length, false)
}

function afterTrailers(rest: Buffer, start: number): [used: number, isWhole: boolean] {
  for (let at = start, line = lineAt(rest, at); line !== undefined; line = lineAt(rest, at)) {
    at = rest.indexOf("\n", at) + 1
    if (line === "") return [at, true]
  }
  return [rest.length, false]
}

/** Without its end; undefined when that has not come. */
function lineAt(rest: Buffer, at: number): string | undefined {
  const end = rest.indexOf("\n", at)
  return end < 0 ? undefined : rest.toString("latin1", at, end).replace(/\r$/, "")
}
