/** An answer whose status line was read, and the rest as far as it could be: that decides nothing. */
export interface Reply {
  status: number
  /** Names in lower case, in the order they came. A field whose name or line is malformed is left out. */
  fields: readonly Field[]
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
  begin(hasBody: boolean, wantedBytes: WantedBytes): void
  /** Takes what arrived. True once nothing more is wanted. */
  push(bytes: Buffer): boolean
  /** The other side ended the connection, or the time for the rest is over. */
  end(): void
  readonly hasStatus: boolean
  /** Whether nothing came yet. */
  readonly isUntouched: boolean
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

interface Answer {
  readonly hasBody: boolean
  readonly wantedBytes: WantedBytes
  state: keyof typeof takeLineBy | "body" | "done"
  pending: Buffer | undefined
  headBytes: number
  isUntouched: boolean
  isMalformed: boolean
  isTooLarge: boolean
  status: number
  /** Something was not as the standard wants it. */
  isOdd: boolean
  isOldVersion: boolean
  fields: [string, string][]
  /** Bytes that remain of the body, or of the chunk. */
  left: number
  isChunked: boolean
  wanted: number
  /** The kept bytes are copied: pieces of one byte would take a hundred times as much memory. */
  store: Buffer
  keptBytes: number
  trailers: number
  chunks: number
  hasRest: boolean
  body: Reply["body"]
}

/**
 * Reads answers in HTTP/1.1 or 1.0 as they arrive, one after the other (RFC 9112). It bears with everything that
 * other programs send as long as the status line is one: receivers are judged by their status. Whatever is not as
 * the standard wants it leaves the connection unusable, since it is unknown where the next answer would begin.
 */
export function openReplyReader(): ReplyReader {
  let answer = startAnswer(true, () => 0)
  return {
    begin(hasBody, wantedBytes) {
      answer = startAnswer(hasBody, wantedBytes)
    },
    push: (bytes) => push(answer, bytes),
    end: () => end(answer),
    get hasStatus() {
      return answer.status >= 200
    },
    get isUntouched() {
      return answer.isUntouched
    },
    get isMalformed() {
      return answer.isMalformed
    },
    get isTooLarge() {
      return answer.isTooLarge
    },
    reply() {
      const { status, fields, store, keptBytes, body } = answer
      return status >= 200 ? { status, fields, bytes: store.subarray(0, keptBytes), body } : undefined
    },
    get leavesConnection() {
      return leavesConnection(answer)
    },
  }
}

function startAnswer(hasBody: boolean, wantedBytes: WantedBytes): Answer {
  return {
    hasBody,
    wantedBytes,
    state: "status",
    pending: undefined,
    headBytes: 0,
    isUntouched: true,
    isMalformed: false,
    isTooLarge: false,
    status: 0,
    isOdd: false,
    isOldVersion: false,
    fields: [],
    left: 0,
    isChunked: false,
    wanted: 0,
    store: nothing,
    keptBytes: 0,
    trailers: 0,
    chunks: 0,
    hasRest: false,
    body: "broken",
  }
}

function push(answer: Answer, bytes: Buffer): boolean {
  if (bytes.length > 0) answer.isUntouched = false
  let rest = answer.pending ? Buffer.concat([answer.pending, bytes]) : bytes
  answer.pending = undefined
  while (answer.state !== "done" && rest.length > 0) {
    const next = answer.state === "body" ? takeBody(answer, rest) : takeLine(answer, answer.state, rest)
    if (!next) break
    rest = next
  }
  if (answer.state === "done") {
    answer.hasRest = rest.length > 0
    answer.isMalformed = answer.status < 200
  } else if (rest.length > 0) answer.pending = rest
  return answer.state === "done"
}

function end(answer: Answer): void {
  if (answer.state === "done") return
  // The reason, at least, may end with the connection.
  const line = answer.state === "status" ? answer.pending?.toString("latin1") : undefined
  if (line && statusLine.test(line)) takeLineBy.status(answer, line)
  finish(answer, answer.state === "body" && answer.left === Number.POSITIVE_INFINITY ? "whole" : "broken")
}

function finish(answer: Answer, body: Reply["body"]): void {
  answer.body = body
  answer.state = "done"
}

function leavesConnection({ fields, left, body, isOdd, isOldVersion, hasRest }: Answer): boolean {
  const isEnded = headerItems(fields, "connection").includes("close") || left === Number.POSITIVE_INFINITY
  return body === "whole" && !isOdd && !isOldVersion && !hasRest && !isEnded
}

/** Takes a line, and returns the rest; undefined when the line has not ended. */
function takeLine(answer: Answer, state: keyof typeof takeLineBy, bytes: Buffer): Buffer | undefined {
  const isHead = state === "status" || state === "fields"
  const most = isHead ? maxHeadBytes - answer.headBytes : maxChunkLine
  const end = bytes.indexOf(10)
  if ((end === -1 ? bytes.length : end) > most) {
    answer.isTooLarge = answer.status < 200
    finish(answer, "broken")
    return undefined
  }
  if (end === -1) return undefined
  if (isHead) answer.headBytes += end + 1
  const isReturned = end > 0 && bytes[end - 1] === 13
  takeLineBy[state](answer, bytes.toString("latin1", 0, isReturned ? end - 1 : end))
  return bytes.subarray(end + 1)
}

/** By state: takes one line, without its end. */
const takeLineBy = {
  status(answer: Answer, line: string): void {
    const [, version, code] = statusLine.exec(line) ?? []
    // Some servers end a former body with an empty line too many.
    if (line === "") answer.isOdd = true
    // RFC 9110, 15.2.2: no switch was asked for, and what follows a 101 is another protocol.
    else if (code === undefined || code === "101") finish(answer, "broken")
    else {
      answer.isOldVersion = version === "0"
      answer.status = Number(code)
      answer.fields = []
      answer.state = "fields"
    }
  },
  fields(answer: Answer, line: string): void {
    if (line === "") {
      if (answer.status >= 200) startBody(answer)
      else answer.state = "status"
      return
    }
    const colon = line.indexOf(":")
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase()
    const value = line.slice(colon + 1).trim()
    const last = answer.fields.at(-1)
    // RFC 9112, 5.2: a folded line goes on with the field before it.
    if (/^[ \t]/.test(line) && last) last[1] = `${last[1]} ${line.trim()}`
    else if (token.test(name.trimEnd())) answer.fields.push([name.trimEnd(), value])
    if (!token.test(name) || control.test(value)) answer.isOdd = true
  },
  size(answer: Answer, line: string): void {
    const [, size] = chunkSize.exec(line) ?? []
    answer.left = Number.parseInt(size ?? "", 16)
    if (Number.isNaN(answer.left) || ++answer.chunks > maxChunks) finish(answer, "broken")
    else answer.state = answer.left === 0 ? "trailers" : "body"
  },
  chunkEnd(answer: Answer, line: string): void {
    if (line === "") answer.state = "size"
    else finish(answer, "broken")
  },
  trailers(answer: Answer, line: string): void {
    if (line === "") finish(answer, "whole")
    else if (++answer.trailers > maxTrailers) finish(answer, "broken")
  },
}

/** RFC 9112, 6.3. */
function startBody(answer: Answer): void {
  const { fields, status } = answer
  const length = contentLength(fields)
  const codings = headerItems(fields, "transfer-encoding")
  answer.isChunked = codings.at(-1) === "chunked"
  const isUntilEnd = length === undefined || codings.length > 0
  if ((codings.length > 0 && length !== undefined) || length === "unclear") answer.isOdd = true
  answer.wanted = answer.wantedBytes(status, typeof length === "number" ? length : undefined)
  answer.left = isUntilEnd || length === "unclear" ? Number.POSITIVE_INFINITY : length
  if (!answer.hasBody || status === 204 || status === 304) answer.left = 0
  if (answer.left === 0) finish(answer, "whole")
  else if (answer.isChunked) answer.state = "size"
  else if (answer.wanted === 0) finish(answer, "long")
  else answer.state = "body"
}

/** Takes what belongs to the body, and returns the rest. */
function takeBody(answer: Answer, bytes: Buffer): Buffer {
  const part = bytes.subarray(0, Math.min(answer.left, bytes.length))
  const room = answer.wanted - answer.keptBytes
  keep(answer, part.subarray(0, room))
  answer.left -= part.length
  if (part.length > room) finish(answer, "long")
  else if (answer.left === 0 && answer.isChunked) answer.state = "chunkEnd"
  else if (answer.left === 0) finish(answer, "whole")
  return bytes.subarray(part.length)
}

function keep(answer: Answer, part: Buffer): void {
  const length = answer.keptBytes + part.length
  if (length > answer.store.length) {
    const larger = Buffer.allocUnsafe(Math.min(answer.wanted, Math.max(length, 2 * answer.store.length)))
    answer.store.copy(larger, 0, 0, answer.keptBytes)
    answer.store = larger
  }
  part.copy(answer.store, answer.keptBytes)
  answer.keptBytes = length
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
