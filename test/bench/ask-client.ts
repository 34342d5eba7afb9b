/**
 * Asks over keep-alive connections. Runs as a process of its own, so that its work does not count as the
 * service's.
 */
import type { Socket } from "bun"

export interface Work {
  url: string
  origin: string
  project: string
  questions: string[]
  connections: number
  ms: number
}

export interface Measured {
  asked: number
  ms: number
  p50: number
  p95: number
}

interface Connection {
  sentAt: number
  received: string
}

if (import.meta.main) {
  const measured = await askFor((await Bun.stdin.json()) as Work)
  process.stdout.write(JSON.stringify(measured))
}

/** Each connection asks its next question when it has its answer, until `ms` have passed. */
async function askFor({ url, origin, project, questions, connections, ms }: Work): Promise<Measured> {
  const { hostname, port } = new URL(url)
  const startedAt = performance.now()
  const durationsMs: number[] = []
  const head = [
    "POST /api/v1/ask HTTP/1.1",
    `Host: ${hostname}:${port}`,
    `Origin: ${origin}`,
    "Content-Type: application/json",
  ].join("\r\n")

  function next(socket: Socket<Connection>, ended: () => void) {
    const question = questions.pop()
    if (!question || performance.now() - startedAt > ms) {
      socket.end()
      ended()
      return
    }
    const body = JSON.stringify({ project, question })
    socket.data = { sentAt: performance.now(), received: "" }
    socket.write(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }

  const askUntilOver = () =>
    new Promise<void>((resolve, reject) => {
      Bun.connect<Connection>({
        hostname,
        port: Number(port),
        data: { sentAt: 0, received: "" },
        socket: {
          open: (socket) => next(socket, resolve),
          data(socket, bytes) {
            // Content-Length counts bytes; latin1 gives one character a byte.
            socket.data.received += bytes.toString("latin1")
            const [status, length] = replyOf(socket.data.received)
            if (length === undefined) return
            if (status !== "200") reject(new Error(socket.data.received))
            durationsMs.push(performance.now() - socket.data.sentAt)
            next(socket, resolve)
          },
          error: (_, error) => reject(error),
          close: () => resolve(),
        },
      }).catch(reject)
    })
  await Promise.all(Array.from({ length: connections }, askUntilOver))
  durationsMs.sort((one, other) => one - other)
  const at = (share: number) => durationsMs[Math.floor(durationsMs.length * share)] ?? 0
  return { asked: durationsMs.length, ms: performance.now() - startedAt, p50: at(0.5), p95: at(0.95) }
}

/** Status and body length of a complete reply; the length is undefined until the reply is complete. */
function replyOf(received: string): [status: string | undefined, length: number | undefined] {
  const end = received.indexOf("\r\n\r\n")
  if (end < 0) return [undefined, undefined]
  const length = Number(/content-length: (\d+)/i.exec(received)?.[1])
  return [received.slice(9, 12), received.length >= end + 4 + length ? length : undefined]
}
