import { readFileSync } from "node:fs"

/**
 * The customer's application of the benchmark, in a process of its own. Answers 204 over TLS to whatever is posted and writes a
 * line with its port. GET /marks gives `[sent, arrived]` (milliseconds) of all messages whose values hold a `sent`, and forgets them.
 *
 *   bun receiver.ts CERT KEY
 */
const [cert, key] = process.argv.slice(2).map((file) => readFileSync(file as string, "utf8"))
let marks: [number, number][] = []
let count = 0

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  tls: { cert, key },
  async fetch(request) {
    if (request.method === "GET") {
      const given = { marks, count }
      marks = []
      count = 0
      return Response.json(given)
    }
    const arrived = performance.timeOrigin + performance.now()
    const [, sent] = /"sent":"([\d.]+)"/.exec(await request.text()) ?? []
    if (sent) marks.push([Number(sent), arrived])
    count++
    return new Response(null, { status: 204 })
  },
})
process.stdout.write(`${server.port}\n`)
