import tls from "node:tls"
import { secondMs } from "../clock.ts"
import type { Outcome } from "../db/tables/webhooks.ts"
import { type Answer, answerIn, maxBodyBytes } from "./answer.ts"
import type { Target } from "./resolve.ts"

/** Why there was no answer. */
export interface Failure {
  outcome: Extract<Outcome, "connection" | "tls" | "protocol" | "timeout">
  /** Nobody is there: another address of the name may do. */
  isUnreachable: boolean
}

/** A TLS connection to one address, which shows a certificate for the name before it is told anything. It carries one request at a time. */
export interface Connection {
  /** Whether it may carry another request. */
  readonly isOpen: boolean
  /** Writes the request to the byte and reads what is answered to it. Whatever goes wrong outside this program is a failure; `signal` ends it. */
  exchange(request: Uint8Array, signal: AbortSignal): Promise<Answer | Failure>
  close(): void
}

/** The status has already decided: an answer that trickles holds its place no longer than this. */
const maxBodyWaitMs = secondMs
/** Each piece has all that came before it read again. What comes in so many, or in chunks so small, is read no further. */
const maxReadBytes = 1024 * 1024
const unreachable = ["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL"]

/**
 * Connects to this very address and to no other, whatever the name leads to. node:tls, since a connection of Bun.connect cannot be given
 * up before it is made, which takes an address that is silent two minutes.
 */
export function dial({ ip, port }: Target, name: string, ca: string | undefined): Connection {
  const socket = tls.connect({
    host: ip,
    port,
    servername: name,
    // Also against an environment that says otherwise.
    rejectUnauthorized: true,
    ALPNProtocols: ["http/1.1"],
    ...(ca !== undefined && { ca }),
  })
  const secured = new Promise<void>((resolve) => {
    socket.once("secureConnect", resolve)
  })
  let isOpen = true
  let asked: PromiseWithResolvers<Answer | Failure> | undefined
  let received: Buffer | undefined
  let readBytes = 0
  let answer: Answer | undefined
  let bodyLate: Timer | undefined

  function close(): void {
    isOpen = false
    socket.destroy()
  }

  function end(answered: Answer | Failure): void {
    // Of a request that has not left yet, the rest would be the beginning of the next one.
    if ("outcome" in answered || !answered.mayContinue || socket.writableLength > 0) close()
    clearTimeout(bodyLate)
    const { resolve } = asked ?? {}
    asked = received = answer = bodyLate = undefined
    readBytes = 0
    resolve?.(answered)
  }

  /** The status counts, once it has come. */
  function endWithout(failure: Failure): void {
    end(answer ?? failure)
  }

  function take(bytes: Buffer): void {
    received = received ? Buffer.concat([received, bytes]) : bytes
    readBytes += received.length
    const isEnough = readBytes >= maxReadBytes
    const read = answerIn(received)
    if (read === "malformed" || (read === "incomplete" && isEnough)) end(failed("protocol"))
    if (typeof read === "string") return
    answer = read
    if (read.isWhole || read.body.length >= maxBodyBytes || isEnough) end(read)
    else bodyLate ??= setTimeout(endWithout, maxBodyWaitMs, failed("timeout"))
  }

  socket.on("data", (bytes: Buffer) => {
    try {
      if (asked) take(bytes)
      // Nothing was asked: it must not be taken for the answer to what is asked next.
      else close()
    } catch (error) {
      // A defect of ours: thrown here, it would end the service.
      asked?.reject(error)
      close()
    }
  })
  socket.on("error", (error: NodeJS.ErrnoException) => endWithout(failureOf(error)))
  socket.on("end", () => endWithout(failed("connection")))
  socket.on("close", () => endWithout(failed("connection")))

  return {
    get isOpen() {
      return isOpen
    },
    async exchange(request, signal) {
      const giveUp = () => endWithout(failed("timeout"))
      const answered = Promise.withResolvers<Answer | Failure>()
      asked = answered
      signal.addEventListener("abort", giveUp)
      if (signal.aborted) giveUp()
      socket.ref()
      void secured.then(() => isOpen && socket.write(request))
      try {
        return await answered.promise
      } finally {
        signal.removeEventListener("abort", giveUp)
        socket.unref()
      }
    },
    close,
  }
}

function failed(outcome: Failure["outcome"]): Failure {
  return { outcome, isUnreachable: false }
}

function failureOf({ code = "" }: NodeJS.ErrnoException): Failure {
  return {
    outcome: /CERT|TLS|SSL|EPROTO|ISSUER|SIGNATURE|CRL/.test(code) ? "tls" : "connection",
    isUnreachable: unreachable.includes(code),
  }
}
