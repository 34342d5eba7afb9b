import { type Socket as BunSocket, connect, listen } from "bun"
import { mustEnd } from "./leaks.ts"

/** Stands between a program and a server on the loopback, and does to their connection what networks do. */
export interface NetworkProxy extends Disposable {
  port: number
  /** Passes everything on, as at the start, and what came meanwhile: it was sent again until it arrived. */
  pass(): void
  /**
   * Takes connections, and reads nothing from them any more, so that whoever sends finds its buffers full after some
   * megabytes: as a network that swallows packets.
   */
  silence(): void
  /** Breaks every connection off and takes no new one. */
  refuse(): void
}

interface Pair {
  other: BunSocket<Pair> | undefined
  /** Bytes that arrived before the other side was connected, or that it could not take yet. */
  waiting: Buffer[]
  hasEnded: boolean
}

export function openProxy(target: number): NetworkProxy {
  let mode: "pass" | "silence" | "refuse" = "pass"
  const ended = mustEnd("a proxy")
  /** Of clients, and to the target. */
  const sockets = new Set<BunSocket<Pair>>()
  const pairs = new Set<Pair>()

  function newPair(other?: BunSocket<Pair>): Pair {
    const pair = { other, waiting: [], hasEnded: false }
    pairs.add(pair)
    return pair
  }

  function send(to: BunSocket<Pair> | undefined, from: Pair, bytes: Uint8Array): void {
    from.waiting.push(Buffer.from(bytes))
    if (to) flush(to, from)
  }

  /** While nothing passes, neither does the end of a connection. */
  function flush(to: BunSocket<Pair>, from: Pair): void {
    if (mode !== "pass") return
    for (let bytes = from.waiting.shift(); bytes; bytes = from.waiting.shift()) {
      const written = Math.max(to.write(bytes), 0)
      if (written === bytes.length) continue
      from.waiting.unshift(bytes.subarray(written))
      return
    }
    if (!from.hasEnded) return
    to.end()
    pairs.delete(from)
  }

  function opened(socket: BunSocket<Pair>): void {
    sockets.add(socket)
    if (mode === "silence") socket.pause()
  }

  const drain = (socket: BunSocket<Pair>) => socket.data.other && flush(socket, socket.data.other.data)
  const close = (socket: BunSocket<Pair>) => {
    sockets.delete(socket)
    socket.data.hasEnded = true
    if (socket.data.other) flush(socket.data.other, socket.data)
  }

  const server = listen<Pair>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(client) {
        client.data = newPair()
        opened(client)
        if (mode === "refuse") {
          client.terminate()
          return
        }
        void connect<Pair>({
          hostname: "127.0.0.1",
          port: target,
          data: newPair(client),
          socket: {
            open(upstream) {
              opened(upstream)
              client.data.other = upstream
              flush(upstream, client.data)
            },
            data: (upstream, bytes) => send(client, upstream.data, bytes),
            drain,
            close,
          },
        }).catch(() => client.terminate())
      },
      data: (client, bytes) => send(client.data.other, client.data, bytes),
      drain,
      close,
    },
  })
  return {
    port: server.port,
    pass() {
      mode = "pass"
      for (const socket of sockets) socket.resume()
      for (const pair of pairs) if (pair.other) flush(pair.other, pair)
    },
    silence() {
      mode = "silence"
      for (const socket of sockets) socket.pause()
    },
    refuse() {
      mode = "refuse"
      for (const socket of sockets) socket.terminate()
    },
    [Symbol.dispose]() {
      server.stop(true)
      ended()
    },
  }
}
