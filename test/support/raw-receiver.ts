import { once } from "node:events"
import { connect, createServer as createTcpServer, type Socket } from "node:net"
import { createServer, type TLSSocket } from "node:tls"
import type { Certified } from "./authority.ts"

/** A receiver that says to the byte what a test wants, however wrong that is as HTTP or TLS. */
export interface RawReceiver extends AsyncDisposable {
  port: number
  /** Connections accepted so far. */
  connections: number
  /** Requests whose head came, over all connections. */
  requests: number
}

/** Calls `onHead`, then `behave`, at each request, once its head is there. */
export async function startRawReceiver(
  certified: Certified,
  behave: (socket: TLSSocket, number: number) => void,
  onHead: (head: string) => void = () => {},
): Promise<RawReceiver> {
  const sockets = new Set<Socket>()
  const server = createServer(certified, (socket) => {
    receiver.connections++
    keep(sockets, socket)
    socket.on("data", (bytes) => {
      if (!bytes.includes("POST ")) return
      onHead(bytes.toString("latin1"))
      behave(socket, ++receiver.requests)
    })
  })
  server.on("tlsClientError", () => {})
  const receiver = { connections: 0, requests: 0, ...(await listen(server, sockets)) }
  return receiver
}

/** Below TLS: calls `behave` at each connection. */
export async function startTcpReceiver(behave: (socket: Socket) => void): Promise<RawReceiver> {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    receiver.connections++
    keep(sockets, socket)
    behave(socket)
  })
  const receiver = { connections: 0, requests: 0, ...(await listen(server, sockets)) }
  return receiver
}

/**
 * Answers no connection at all, as an address behind a firewall: its process is stopped, and the queue of
 * those that wait is full.
 */
export async function startSilentListener(): Promise<{ port: number } & AsyncDisposable> {
  const code =
    "const s = require('net').createServer().listen(0, '127.0.0.1', 1, () => console.log(s.address().port))"
  const child = Bun.spawn([process.execPath, "-e", code], { stdout: "pipe" })
  const { value } = await child.stdout.getReader().read()
  const port = Number(new TextDecoder().decode(value))
  child.kill("SIGSTOP")
  const queue: Socket[] = []
  // Until one of them is left without an answer.
  for (let waits = false; !waits; ) {
    const socket = connect(port, "127.0.0.1")
    queue.push(socket)
    waits = await Promise.race([once(socket, "connect").then(() => false), Bun.sleep(200).then(() => true)])
  }
  return {
    port,
    async [Symbol.asyncDispose]() {
      for (const socket of queue) socket.destroy()
      child.kill("SIGKILL")
      await child.exited
    },
  }
}

function keep(sockets: Set<Socket>, socket: Socket): void {
  sockets.add(socket)
  socket.on("error", () => {})
  socket.on("close", () => sockets.delete(socket))
}

export async function listen(server: ReturnType<typeof createTcpServer>, sockets: Set<Socket>) {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    port: (server.address() as { port: number }).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** Writes without end, as fast as it is read. */
export function flood(socket: Socket, piece: string): void {
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on("drain", more)
  more()
}
