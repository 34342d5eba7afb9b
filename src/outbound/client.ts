import { createSecureContext, type SecureContext } from "node:tls"
import { LRUCache } from "lru-cache"
import { secondMs } from "../base/clock.ts"
import { type Connection, connectionOver, type ExchangeOptions } from "./connection.ts"
import { dial, type Security } from "./dial.ts"
import {
  type Aborted,
  answerTooLarge,
  malformedAnswer,
  type NotSent,
  type SendFailure,
  sendFailure,
} from "./failure.ts"
import type { OutboundProxy } from "./proxy.ts"
import type { Reply, WantedBytes } from "./reply.ts"
import type { ResolvedTargets, Target } from "./resolve.ts"

export interface Destination {
  scheme: "http:" | "https:"
  /** The `Host` header: the name or address, and the port unless it is the scheme's. */
  host: string
  /** With the query; it goes out as it is. */
  path: string
  /** PEM of the only authorities to trust, instead of those built in. */
  ca?: string | undefined
}

export interface OutgoingRequest extends ExchangeOptions {
  method: "GET" | "HEAD" | "POST"
  /** The same for many requests: of one object, lines are made once. They stand before the new ones. */
  headers?: Readonly<Record<string, string>>
  /** Called whenever the request is sent, so that a signature carries the time of sending. `host` is added. */
  newHeaders?(): Record<string, string>
  body?: Uint8Array
  wantedBytes: WantedBytes
}

/**
 * The guarded client: every request to an address of others goes through one. It connects to judged addresses
 * alone, follows no redirect, unpacks nothing, and keeps connections.
 */
export interface Client extends Disposable {
  /**
   * The answer, or why none came. Rejects only what cannot be sent: a header of several lines, say.
   *
   * Many servers close a kept connection unannounced. A request that fails over a kept connection before a byte
   * has come is therefore repeated over a new one, so a server may get it twice.
   */
  request(
    found: ResolvedTargets,
    destination: Destination,
    request: OutgoingRequest,
  ): Promise<Answered | SendFailure | Aborted | NotSent>
}

export type Answered = Reply & { target: Target }

/** Idle connections. */
const maxKept = 256
/**
 * A server that closes one sooner says so, and no network forgets one within this time. A handshake costs as
 * much as many deliveries: decision 063.
 */
const reuseWithinMs = 30 * secondMs
/** Authorities that were trusted lately: reading the system's takes a while. */
const maxContexts = 16

/** How connections to one destination are secured, and which of the kept ones are its own. */
interface Way {
  key: string
  security: Security | undefined
}

export function openClient(proxy?: OutboundProxy): Client {
  const pool = openKept()
  const ways = new WeakMap<Destination, Way>()
  const contexts = new LRUCache<string, { number: number; context: SecureContext }>({ max: maxContexts })
  let contextNumber = 0

  /** Callers keep their destinations, and so what was found out for one. */
  function wayTo(destination: Destination): Way {
    const cached = ways.get(destination)
    if (cached) return cached
    const { scheme, host, ca = "" } = destination
    const secured = scheme === "https:" ? contextFor(ca) : undefined
    const security = secured && { name: nameIn(host), context: secured.context }
    const way = { key: `${secured?.number ?? "plain"} ${host}`, security }
    ways.set(destination, way)
    return way
  }

  function contextFor(ca: string) {
    const cached = contexts.get(ca)
    if (cached) return cached
    const made = { number: ++contextNumber, context: createSecureContext(ca === "" ? {} : { ca }) }
    contexts.set(ca, made)
    return made
  }

  async function request(found: ResolvedTargets, destination: Destination, request: OutgoingRequest) {
    const { key, security } = wayTo(destination)
    const { late } = found
    for (
      let old = pool.take(key, found.targets);
      old && !late?.aborted;
      old = pool.take(key, found.targets)
    ) {
      await old.rested
      if (!old.connection.isOpen) continue
      const code = await exchange(old.connection, destination, request)
      if (!old.connection.reader.isUntouched || request.signal.aborted) return sendResult(old, request, code)
      old.connection.close()
      break
    }
    const signals = late ? [request.signal, late] : [request.signal]
    const dialled = await dial(found.targets, security, signals, proxy)
    const failed = "outcome" in dialled
    if (failed && dialled.outcome !== "aborted") return dialled
    // The name was condemned while the connection was made: nothing is sent.
    if (late?.aborted) {
      if (!failed) dialled.socket.destroy()
      return { outcome: "private_address" } as const
    }
    if (failed) return dialled
    const { socket, target } = dialled
    const made = { key: poolKey(key, target), target, connection: connectionOver(socket) }
    return sendResult(made, request, await exchange(made.connection, destination, request))
  }

  function sendResult(
    { key, target, connection }: Used,
    { signal }: OutgoingRequest,
    code: string | undefined,
  ) {
    const { reader } = connection
    const reply = reader.reply()
    if (reader.leavesConnection && connection.isOpen) pool.add({ key, target, connection })
    else connection.close()
    if (reply) return { ...reply, target }
    if (signal.aborted) return { outcome: "aborted", cause: "answer_timeout", target } as const
    if (reader.isTooLarge) return sendFailure(answerTooLarge, target)
    return sendFailure(reader.isMalformed ? malformedAnswer : (code ?? "ECONNRESET"), target)
  }

  return { request, [Symbol.dispose]: pool.close }
}

function exchange(connection: Connection, destination: Destination, request: OutgoingRequest) {
  try {
    return connection.exchange(requestBytes(destination, request), request.method !== "HEAD", request)
  } catch (error) {
    connection.close()
    throw error
  }
}

/** A connection and the key under which it is kept: it serves one name at one address, trusted in one way. */
interface Used {
  key: string
  target: Target
  connection: Connection
}

function poolKey(way: string, { ip, port }: Target): string {
  return `${way} ${ip} ${port}`
}

/** Without port and brackets. */
function nameIn(host: string): string {
  return host.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1")
}

/** The request as it is sent. Throws for a header that would begin another line. */
function requestBytes({ host, path }: Destination, { method, headers, newHeaders, body }: OutgoingRequest) {
  if (unsendable.test(path) || unsendable.test(host)) throw new Error("a request cannot hold this address")
  let head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n`
  if (headers) head += keptLines.get(headers) ?? keptHeaderLines(headers)
  if (newHeaders) head += headerLines(newHeaders())
  if (!body) return Buffer.from(`${head}\r\n`, "latin1")
  head += `content-length: ${body.length}\r\n\r\n`
  const bytes = Buffer.allocUnsafe(head.length + body.length)
  bytes.write(head, "latin1")
  bytes.set(body, head.length)
  return bytes
}

const keptLines = new WeakMap<Readonly<Record<string, string>>, string>()

function keptHeaderLines(headers: Readonly<Record<string, string>>): string {
  const lines = headerLines(headers)
  keptLines.set(headers, lines)
  return lines
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  let lines = ""
  for (const name in headers) {
    const value = headers[name] as string
    if (unsendable.test(name) || unsendable.test(value)) throw new Error(`a request cannot hold this ${name}`)
    lines += `${name}: ${value}\r\n`
  }
  return lines
}

const unsendable = /[^\t\x20-\x7e\x80-\xff]/

interface Idle extends Used {
  sinceMs: number
  /** Many servers close without a word after an answer: a tick of the event loop later that has been read. */
  rested: Promise<void>
}

function openKept() {
  const idle = new Map<string, Idle[]>()
  let count = 0
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  /** That of the connections that were answered within this tick of the event loop. */
  let rested: Promise<void> | undefined

  function isUsable({ connection, sinceMs }: Idle): boolean {
    return connection.isOpen && performance.now() - sinceMs < reuseWithinMs
  }

  function closeOld(): void {
    timer = undefined
    for (const [key, list] of idle) {
      const usable = list.filter(isUsable)
      for (const one of list) if (!usable.includes(one)) one.connection.close()
      count -= list.length - usable.length
      if (usable.length > 0) idle.set(key, usable)
      else idle.delete(key)
    }
    if (count > 0) startTimer()
  }

  /** One of the key that was used least lately: those who are sent to all the time keep theirs. */
  function closeOne(): void {
    for (const [key, list] of idle) {
      const one = list.shift()
      if (list.length === 0) idle.delete(key)
      if (!one) continue
      count--
      one.connection.close()
      return
    }
  }

  function startTimer(): void {
    timer ??= setTimeout(closeOld, reuseWithinMs).unref()
  }

  return {
    /** The one used last, so that the others can go. */
    take(way: string, targets: readonly Target[]): Idle | undefined {
      for (const target of targets) {
        const list = idle.get(poolKey(way, target))
        for (let last = list?.pop(); last; last = list?.pop()) {
          count--
          if (isUsable(last)) return last
          last.connection.close()
        }
      }
      return undefined
    },
    add(used: Used): void {
      const { key, connection } = used
      if (isClosed) {
        connection.close()
        return
      }
      if (count >= maxKept) closeOne()
      rested ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        rested = undefined
      })
      const one = { ...used, sinceMs: performance.now(), rested }
      const list = idle.get(key) ?? []
      list.push(one)
      // The keys used last stand last.
      idle.delete(key)
      idle.set(key, list)
      count++
      startTimer()
    },
    close(): void {
      isClosed = true
      clearTimeout(timer)
      for (const list of idle.values()) for (const { connection } of list) connection.close()
      idle.clear()
      count = 0
    },
  }
}
