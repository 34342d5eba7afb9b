import { createServer as createTcpServer, type Socket } from "node:net"
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

/** Calls `behave` at each request, once its head is there. */
export async function startRawReceiver(
  certified: Certified,
  behave: (socket: TLSSocket, number: number) => void,
): Promise<RawReceiver> {
  const sockets = new Set<Socket>()
  const server = createServer(certified, (socket) => {
    receiver.connections++
    keep(sockets, socket)
    socket.on("data", (bytes) => {
      if (bytes.includes("POST ")) behave(socket, ++receiver.requests)
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

function keep(sockets: Set<Socket>, socket: Socket): void {
  sockets.add(socket)
  socket.on("error", () => {})
  socket.on("close", () => sockets.delete(socket))
}

async function listen(server: ReturnType<typeof createTcpServer>, sockets: Set<Socket>) {
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
