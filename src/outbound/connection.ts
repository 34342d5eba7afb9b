import type { Socket } from "node:net"
import { errorCode } from "./failure.ts"
import { openReplyReader, type ReplyReader, type WantedBytes } from "./reply.ts"

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
  /** An idle one must not keep the process alive. */
  rest(): void
  close(): void
}

export interface ExchangeOptions {
  wantedBytes: WantedBytes
  signal: AbortSignal
  restWithinMs?: number | undefined
  onProgress?: (() => void) | undefined
}

interface Exchange extends Omit<ExchangeOptions, "wantedBytes"> {
  resolve(code: string | undefined): void
  timer: NodeJS.Timeout | undefined
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
  socket.on("data", take)
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
      socket.ref()
      if (isOpen && !signal.aborted) socket.write(bytes)
      else end()
      return promise
    },
    rest: () => void socket.unref(),
    close,
  }
}
