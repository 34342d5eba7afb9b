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
  /** Takes what arrived, and copies what it keeps of it. True once nothing more is wanted. */
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
  const all = answer.pending ? Buffer.concat([answer.pending, bytes]) : bytes
  answer.pending = undefined
  let at = 0
  while (answer.state !== "done" && at < all.length) {
    const next = takePart(answer, all, at)
    if (next === at) break
    at = next
  }
  if (answer.state === "done") {
    answer.hasRest = at < all.length
    answer.isMalformed = answer.status < 200
  } else if (at < all.length) answer.pending = Buffer.from(all.subarray(at))
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

/** Takes what the state asks for, and returns where the rest begins: `at` itself when a line has not ended. */
function takePart(answer: Answer, bytes: Buffer, at: number): number {
  const { state } = answer
  if (state === "body") return takeBody(answer, bytes, at)
  return state === "status" || state === "fields" ? takeHead(answer, bytes, at) : takeLine(answer, bytes, at)
}

/** All lines of the head that have come are read from one text: a slice of bytes for each costs more. */
function takeHead(answer: Answer, bytes: Buffer, from: number): number {
  const most = maxHeadBytes - answer.headBytes
  const text = bytes.toString("latin1", from, Math.min(bytes.length, from + most + 1))
  let at = 0
  while (answer.state === "status" || answer.state === "fields") {
    const end = text.indexOf("\n", at)
    if (end === -1) {
      if (bytes.length - from > most) finishTooLarge(answer)
      break
    }
    answer.headBytes += end + 1 - at
    takeLineBy[answer.state](
      answer,
      text.slice(at, text.charCodeAt(end - 1) === 13 && end > at ? end - 1 : end),
    )
    at = end + 1
  }
  return from + at
}

/** Takes one line of a body in chunks. */
function takeLine(answer: Answer, bytes: Buffer, at: number): number {
  const end = bytes.indexOf(10, at)
  if ((end === -1 ? bytes.length : end) - at > maxChunkLine) {
    finishTooLarge(answer)
    return at
  }
  if (end === -1) return at
  const isReturned = end > at && bytes[end - 1] === 13
  takeLineBy[answer.state as keyof typeof takeLineBy](
    answer,
    bytes.toString("latin1", at, isReturned ? end - 1 : end),
  )
  return end + 1
}

function finishTooLarge(answer: Answer): void {
  answer.isTooLarge = answer.status < 200
  finish(answer, "broken")
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
    const first = line.charCodeAt(0)
    const last = first === 32 || first === 9 ? answer.fields.at(-1) : undefined
    const isName = token.test(name)
    // RFC 9112, 5.2: a folded line goes on with the field before it.
    if (last) last[1] = `${last[1]} ${line.trim()}`
    else if (isName) answer.fields.push([name, value])
    else if (token.test(name.trimEnd())) answer.fields.push([name.trimEnd(), value])
    if (!isName || control.test(value)) answer.isOdd = true
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

/** Takes what belongs to the body, and returns where the rest begins. */
function takeBody(answer: Answer, bytes: Buffer, at: number): number {
  const length = Math.min(answer.left, bytes.length - at)
  const room = answer.wanted - answer.keptBytes
  keep(answer, bytes, at, at + Math.min(length, room))
  answer.left -= length
  if (length > room) finish(answer, "long")
  else if (answer.left === 0 && answer.isChunked) answer.state = "chunkEnd"
  else if (answer.left === 0) finish(answer, "whole")
  return at + length
}

function keep(answer: Answer, bytes: Buffer, from: number, to: number): void {
  const length = answer.keptBytes + to - from
  if (length > answer.store.length) {
    const larger = Buffer.allocUnsafe(Math.min(answer.wanted, Math.max(length, 2 * answer.store.length)))
    answer.store.copy(larger, 0, 0, answer.keptBytes)
    answer.store = larger
  }
  bytes.copy(answer.store, answer.keptBytes, from, to)
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
function headerItems(fields: readonly Field[], name: string): readonly string[] {
  const text = headerValue(fields, name)
  if (text === undefined) return noItems
  const lowered = text.toLowerCase()
  return lowered.includes(",") ? lowered.split(",").map((item) => item.trim()) : [lowered.trim()]
}

const noItems: readonly string[] = []

/** The length of the body: undefined when none is told, `unclear` when what is told is no length, or several. */
function contentLength(fields: readonly Field[]): number | "unclear" | undefined {
  const [first, ...others] = headerItems(fields, "content-length")
  if (first === undefined) return undefined
  return /^\d{1,15}$/.test(first) && others.every((other) => other === first) ? Number(first) : "unclear"
}
