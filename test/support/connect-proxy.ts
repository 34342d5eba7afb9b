import { connect, createServer, type Socket } from "node:net"

/** An outbound proxy on loopback that makes real tunnels: every one leads to `port`, whatever it is asked for. */
export interface ConnectProxy extends AsyncDisposable {
  port: number
  url: string
  /** The first line of each request. */
  asked: string[]
  /** The `Proxy-Authorization` of each. */
  proofs: (string | undefined)[]
  /** Instead of a tunnel, from now on. */
  answer: string | undefined
  /** Breaks each tunnel off as soon as it stands. */
  breaksOff: boolean
}

export async function startConnectProxy(port: number): Promise<ConnectProxy> {
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
    socket.on("close", () => sockets.delete(socket))
  }
  const server = createServer((client) => {
    keep(client)
    let head = ""
    const take = (bytes: Buffer) => {
      head += bytes.toString("latin1")
      if (!head.includes("\r\n\r\n")) return
      client.off("data", take)
      proxy.asked.push(head.split("\r\n")[0] as string)
      proxy.proofs.push(/^proxy-authorization: (.*)$/im.exec(head)?.[1]?.trim())
      if (proxy.answer !== undefined) {
        client.end(proxy.answer)
        return
      }
      const upstream = connect(port, "127.0.0.1", () => {
        client.write("HTTP/1.1 200 Connection established\r\n\r\n")
        if (proxy.breaksOff) client.end()
        else client.pipe(upstream).pipe(client)
      })
      keep(upstream)
    }
    client.on("data", take)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const own = (server.address() as { port: number }).port
  const proxy: ConnectProxy = {
    port: own,
    url: `http://127.0.0.1:${own}`,
    asked: [],
    proofs: [],
    answer: undefined,
    breaksOff: false,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  return proxy
}
