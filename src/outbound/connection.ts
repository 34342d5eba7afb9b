import type { OnReadOpts, Socket } from "node:net"
import { dayMs } from "../base/clock.ts"
import { errorCode } from "./failure.ts"
import { openReplyReader, type ReplyReader, type WantedBytes } from "./reply.ts"
import type { StopSignal } from "./time-limit.ts"

/** One connection, which takes one request after the other. */
export interface Connection {
  /** Its answers. What it has read is true until the next exchange begins. */
  reader: ReplyReader
  /** Whether it can take a request: it is open, and the other side has said nothing unasked. */
  readonly isOpen: boolean
  /**
   * Sends these bytes and reads until there is enough, the connection ends, the signal is aborted, or
   * `restWithinMs` have passed since the status line was read. Resolves to the code of an error.
   */
  exchange(bytes: Uint8Array, hasBody: boolean, options: ExchangeOptions): Promise<string | undefined>
  close(): void
}

export interface ExchangeOptions {
  wantedBytes: WantedBytes
  signal: StopSignal
  restWithinMs?: number | undefined
  onProgress?: (() => void) | undefined
}

interface Exchange extends Omit<ExchangeOptions, "wantedBytes"> {
  resolve(code: string | undefined): void
  timer: NodeJS.Timeout | undefined
}

/** Where the bytes of a socket go: to its connection, once it has one. What came before waits. */
interface Incoming {
  take(bytes: Buffer): void
  early: Buffer[]
}

const incomingOf = new WeakMap<Socket, Incoming>()
/** Every socket reads into it, past its own stream, which costs a third of an exchange. */
const readBuffer = Buffer.allocUnsafe(64 * 1024)

/** Opens a socket with these options of reading, as `connectionOver` takes it over. */
export function openSocket(open: (onread: OnReadOpts) => Socket): Socket {
  const early: Buffer[] = []
  const incoming: Incoming = { early, take: (bytes) => void early.push(Buffer.from(bytes)) }
  const socket = open({
    buffer: readBuffer,
    callback(length) {
      incoming.take(readBuffer.subarray(0, length))
      return true
    },
  })
  incomingOf.set(socket, incoming)
  return socket
}

/** A request under way keeps the process alive, by one timer for all: a word to each socket costs more. */
const alive = setInterval(() => {}, dayMs).unref()
let underWay = 0

function holdProcess(): void {
  if (++underWay === 1) alive.ref()
}

function letProcessGo(): void {
  if (--underWay === 0) alive.unref()
}

/** Takes over a socket that is connected and, where that is wanted, verified. */
export function connectionOver(socket: Socket): Connection {
  const reader = openReplyReader()
  let exchange: Exchange | undefined
  let isOpen = true

  function close(code?: string): void {
    isOpen = false
    socket.destroy()
    end(code)
  }

  function end(code?: string): void {
    if (!exchange) return
    const { signal, timer, resolve } = exchange
    exchange = undefined
    letProcessGo()
    if (timer) clearTimeout(timer)
    signal.removeEventListener("abort", abort)
    // An answer that came before the request was sent whole leaves the rest of it in the way of the next one.
    if (socket.writableLength > 0) isOpen = false
    resolve(code)
  }

  const abort = () => end()

  function take(bytes: Buffer): void {
    // Bytes that come unasked would be taken for the next answer.
    if (!exchange) {
      close()
      return
    }
    exchange.onProgress?.()
    if (reader.push(bytes)) end()
    else if (exchange.restWithinMs !== undefined && reader.hasStatus)
      exchange.timer ??= setTimeout(abort, exchange.restWithinMs)
  }

  socket.setNoDelay(true)
  socket.unref()
  const incoming = incomingOf.get(socket)
  if (incoming) incoming.take = take
  // Within the tunnel of a proxy.
  else socket.on("data", take)
  socket.on("end", () => {
    if (exchange) reader.end()
    close()
  })
  socket.on("error", (error) => close(errorCode(error)))
  socket.on("close", () => close())

  return {
    reader,
    get isOpen() {
      return isOpen
    },
    exchange(bytes, hasBody, options) {
      const { promise, resolve } = Promise.withResolvers<string | undefined>()
      const { signal, restWithinMs, onProgress } = options
      reader.begin(hasBody, options.wantedBytes)
      exchange = { signal, restWithinMs, onProgress, resolve, timer: undefined }
      signal.addEventListener("abort", abort)
      holdProcess()
      if (isOpen && !signal.aborted) socket.write(bytes)
      else end()
      for (const bytes of incoming?.early.splice(0) ?? []) take(bytes)
      return promise
    },
    close,
  }
}
