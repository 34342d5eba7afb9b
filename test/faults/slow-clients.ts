import { readFileSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { temporaryFolder } from "../support/service.ts"
import { atMost, exactly, type Verdict } from "../support/verdict.ts"
import { p95, type Reply, startServedSite } from "./served-site.ts"

const clients = 1000
const forMs = 15_000

/**
 * A thousand connections whose requests never end: half trickle their head, half their body, a byte a second.
 */
export async function slowClients(): Promise<Verdict[]> {
  using folder = temporaryFolder()
  await using site = await startServedSite(folder.path)
  const { port } = new URL(site.service.url)
  await Promise.all(Array.from({ length: 20 }, () => site.ask()))
  const before = heldBy(site.service.pid)
  const sockets = await Promise.all(
    Array.from({ length: clients }, (_, number) => slow(Number(port), number)),
  )
  const drip = setInterval(() => {
    for (const socket of sockets) if (!socket.destroyed) socket.write("x")
  }, 1000)
  const asks: Reply[] = []
  const posts: Reply[] = []
  for (const endsAt = performance.now() + forMs; performance.now() < endsAt; await Bun.sleep(50)) {
    asks.push(await site.ask())
    posts.push(await site.post())
  }
  const during = heldBy(site.service.pid)
  clearInterval(drip)
  for (const socket of sockets) socket.destroy()
  await Bun.sleep(1000)
  const after = heldBy(site.service.pid)
  return [
    exactly("slow clients: questions not answered", 0, asks.filter(({ status }) => status !== 200).length),
    exactly("slow clients: posts not acknowledged", 0, posts.filter(({ status }) => status !== 201).length),
    atMost("slow clients: p95 of a question meanwhile", 1000, p95(asks), " ms"),
    atMost("slow clients: memory for a thousand of them", 100, during.memoryMb - before.memoryMb, " MB"),
    atMost("slow clients: descriptors left a second after", before.descriptors + 20, after.descriptors),
  ]
}

function slow(port: number, number: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const socket = connect(port, "127.0.0.1", () => {
    socket.write("POST /api/v1/ask HTTP/1.1\r\nHost: localhost\r\nOrigin: https://docs.exemple.fr\r\n")
    if (number % 2 === 0) socket.write("x-slow: ")
    else socket.write("Content-Type: application/json\r\nContent-Length: 30000\r\n\r\n{")
    resolve(socket)
  })
  socket.on("error", reject)
  return promise
}

function heldBy(pid: number): { memoryMb: number; descriptors: number } {
  const [, kb] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
  const { stdout } = Bun.spawnSync(["ls", `/proc/${pid}/fd`])
  return { memoryMb: Number(kb) / 1024, descriptors: stdout.toString().trim().split("\n").length }
}
