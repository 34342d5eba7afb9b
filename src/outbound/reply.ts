/** An answer whose status line was read, and the rest as far as it could be: that decides nothing. */
export interface Reply {
  status: number
  /** Names in lower case, in the order they came. A field whose name or line is malformed is left out. */
  fields: readonly Field[]
  /** The beginning of the body, as it was sent. */
  bytes: Buffer
  /**
   * `whole`: the body ended. `long`: there is more than was wanted. `broken`: the connection ended before it, or
   * it is malformed.
   */
  body: "whole" | "long" | "broken"
}

export type Field = readonly [name: string, value: string]

/** How much of a body is wanted, by the head of its answer. `length` is undefined where the head tells none. */
export type WantedBytes = (status: number, length: number | undefined) => number

export interface ReplyReader {
  /** Begins with the next answer. */
  begin(hasBody: boolean, wantedBytes: WantedBytes): void
  /** Takes what arrived. True once nothing more is wanted. */
  push(bytes: Buffer): boolean
  /** The other side ended the connection, or the time for the rest is over. */
  end(): void
  /** Whether the status line was read. */
  readonly hasStatus: boolean
  /** Whether nothing came yet. */
  readonly isUntouched: boolean
  /** Whether what came is no answer in HTTP/1. */
  readonly isMalformed: boolean
  /** Whether all of that came before a status line had ended. */
  readonly isTooLarge: boolean
  /** Undefined without a status. */
  reply(): Reply | undefined
  /** Whether another request can follow: the answer was whole and well formed, and nothing came after it. */
  readonly leavesConnection: boolean
}

/** All heads of an answer together, those of status 1xx too. More fields are not read; the status counts. */
const maxHeadBytes = 64 * 1024
/** A chunk's size with its extensions, and each trailer. */
const maxChunkLine = 4096
const maxTrailers = 64
/** Chunks of one answer. A long list in pieces of 256 bytes is no more. */
const maxChunks = 200_000

const statusLine = /^HTTP\/1\.(\d)[ \t]+([1-9]\d\d)(?:[ \t]|$)/
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const chunkSize = /^([0-9a-fA-F]{1,12})[ \t]*(?:;|$)/
// biome-ignore lint/suspicious/noControlCharactersInRegex: no value may hold them (RFC 9110, 5.5)
const control = /[\u0000-\u0008\u000a-\u001f\u007f]/

/**
 * Reads answers in HTTP/1.1 or 1.0 as they arrive, one after the other (RFC 9112). It bears with everything that
 * other programs send as long as the status line is one: receivers are judged by their status. Whatever is not as
 * the standard wants it leaves the connection unusable, since it is unknown where the next answer would begin.
 */
export function openReplyReader(): ReplyReader {
  let hasBody: boolean
  let wantedBytes: WantedBytes
  let state: keyof typeof lines | "body" | "done"
  /** The beginning of a line whose end has not come. */
  let pending: Buffer | undefined
  let headBytes: number
  let isUntouched: boolean
  let isMalformed: boolean
  let isTooLarge: boolean
  let status: number
  let isOdd: boolean
  let isOldVersion: boolean
  let fields: [string, string][]
  /** Bytes that remain of the body, or of the chunk. */
  let left: number
  let isChunked: boolean
  let wanted: number
  let kept: number
  let trailers: number
  let hasRest: boolean
  let chunks: number
  /** What is kept is copied: pieces of a byte would take a hundred times as much. */
  let store: Buffer
  let body: Reply["body"]

  function begin(withBody: boolean, wants: WantedBytes): void {
    hasBody = withBody
    wantedBytes = wants
    state = "status"
    pending = undefined
    isUntouched = true
    isMalformed = isTooLarge = isOdd = isOldVersion = isChunked = hasRest = false
    headBytes = status = left = wanted = kept = trailers = chunks = 0
    fields = []
    store = nothing
    body = "broken"
  }

  function finish(how: Reply["body"]): void {
    body = how
    state = "done"
  }

  /** By state: takes one line, without its end. */
  const lines = {
    status(line: string): void {
      const [, version, code] = statusLine.exec(line) ?? []
      // Some servers end a former body with an empty line too many.
      if (line === "") isOdd = true
      // RFC 9110, 15.2.2: no switch was asked for, and what follows a 101 is another protocol.
      else if (code === undefined || code === "101") finish("broken")
      else {
        isOldVersion = version === "0"
        status = Number(code)
        fields = []
        state = "fields"
      }
    },
    fields(line: string): void {
      if (line === "") {
        if (status >= 200) startBody()
        else state = "status"
        return
      }
      const colon = line.indexOf(":")
      const name = line.slice(0, Math.max(colon, 0)).toLowerCase()
      const value = line.slice(colon + 1).trim()
      const last = fields.at(-1)
      // RFC 9112, 5.2: a folded line goes on with the field before it.
      if (/^[ \t]/.test(line) && last) last[1] = `${last[1]} ${line.trim()}`
      else if (token.test(name.trimEnd())) fields.push([name.trimEnd(), value])
      if (!token.test(name) || control.test(value)) isOdd = true
    },
    size(line: string): void {
      const [, size] = chunkSize.exec(line) ?? []
      left = Number.parseInt(size ?? "", 16)
      if (Number.isNaN(left) || ++chunks > maxChunks) finish("broken")
      else state = left === 0 ? "trailers" : "body"
    },
    chunkEnd(line: string): void {
      if (line === "") state = "size"
      else finish("broken")
    },
    trailers(line: string): void {
      if (line === "") finish("whole")
      else if (++trailers > maxTrailers) finish("broken")
    },
  }

  /** RFC 9112, 6.3. */
  function startBody(): void {
    const length = contentLength(fields)
    const codings = headerItems(fields, "transfer-encoding")
    isChunked = codings.at(-1) === "chunked"
    const isUntilEnd = length === undefined || codings.length > 0
    if ((codings.length > 0 && length !== undefined) || length === "unclear") isOdd = true
    wanted = wantedBytes(status, typeof length === "number" ? length : undefined)
    left = isUntilEnd || length === "unclear" ? Number.POSITIVE_INFINITY : length
    if (!hasBody || status === 204 || status === 304) left = 0
    if (left === 0) finish("whole")
    else if (isChunked) state = "size"
    else if (wanted === 0) finish("long")
    else state = "body"
  }

  function keep(part: Buffer): void {
    const length = kept + part.length
    if (length > store.length) {
      const larger = Buffer.allocUnsafe(Math.min(wanted, Math.max(length, 2 * store.length)))
      store.copy(larger, 0, 0, kept)
      store = larger
    }
    part.copy(store, kept)
    kept = length
  }

  /** Takes what belongs to the body, and gives the rest. */
  function takeBody(bytes: Buffer): Buffer {
    const part = bytes.subarray(0, Math.min(left, bytes.length))
    const room = wanted - kept
    keep(part.subarray(0, room))
    left -= part.length
    if (part.length > room) finish("long")
    else if (left === 0 && isChunked) state = "chunkEnd"
    else if (left === 0) finish("whole")
    return bytes.subarray(part.length)
  }

  /** Takes a line, and gives the rest; undefined when the line has not ended. */
  function takeLine(bytes: Buffer): Buffer | undefined {
    const isHead = state === "status" || state === "fields"
    const most = isHead ? maxHeadBytes - headBytes : maxChunkLine
    const end = bytes.indexOf(10)
    if ((end === -1 ? bytes.length : end) > most) {
      isTooLarge = status < 200
      finish("broken")
      return undefined
    }
    if (end === -1) return undefined
    if (isHead) headBytes += end + 1
    const isReturned = end > 0 && bytes[end - 1] === 13
    lines[state as keyof typeof lines](bytes.toString("latin1", 0, isReturned ? end - 1 : end))
    return bytes.subarray(end + 1)
  }

  begin(true, () => 0)
  return {
    begin,
    push(bytes) {
      if (bytes.length > 0) isUntouched = false
      let rest = pending ? Buffer.concat([pending, bytes]) : bytes
      pending = undefined
      while (state !== "done" && rest.length > 0) {
        const next = state === "body" ? takeBody(rest) : takeLine(rest)
        if (!next) break
        rest = next
      }
      if (state === "done") {
        hasRest = rest.length > 0
        isMalformed = status < 200
      } else if (rest.length > 0) pending = rest
      return state === "done"
    },
    end() {
      if (state === "done") return
      // The reason, at least, may end with the connection.
      const line = state === "status" ? pending?.toString("latin1") : undefined
      if (line && statusLine.test(line)) lines.status(line)
      finish(state === "body" && left === Number.POSITIVE_INFINITY ? "whole" : "broken")
    },
    get hasStatus() {
      return status >= 200
    },
    get isUntouched() {
      return isUntouched
    },
    get isMalformed() {
      return isMalformed
    },
    get isTooLarge() {
      return isTooLarge
    },
    reply: () => (status >= 200 ? { status, fields, bytes: store.subarray(0, kept), body } : undefined),
    get leavesConnection() {
      const isEnded = headerItems(fields, "connection").includes("close") || left === Number.POSITIVE_INFINITY
      return body === "whole" && !isOdd && !isOldVersion && !hasRest && !isEnded
    },
  }
}

const nothing = Buffer.alloc(0)

/** The values of a field, several of one name joined as if they were one. */
export function headerValue(fields: readonly Field[], name: string): string | undefined {
  let found: string | undefined
  for (const [own, value] of fields)
    if (own === name) found = found === undefined ? value : `${found}, ${value}`
  return found
}

/** The items of a list, in lower case. */
function headerItems(fields: readonly Field[], name: string): string[] {
  const text = headerValue(fields, name)
  return text === undefined
    ? []
    : text
        .toLowerCase()
        .split(",")
        .map((item) => item.trim())
}

/** The length of the body: undefined when none is told, `unclear` when what is told is no length, or several. */
function contentLength(fields: readonly Field[]): number | "unclear" | undefined {
  const [first, ...others] = headerItems(fields, "content-length")
  if (first === undefined) return undefined
  return /^\d{1,15}$/.test(first) && others.every((other) => other === first) ? Number(first) : "unclear"
}
