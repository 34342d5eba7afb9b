import { afterAll, beforeAll, expect, test } from "bun:test"
import { gzipSync } from "node:zlib"
import { Webhook } from "standardwebhooks"
import { type Authority, type Certified, openAuthority } from "../../support/authority.ts"
import { at, attempt, body, messageId, name, outboundTo, secret } from "../../support/outbound.ts"
import { flood, startRawReceiver } from "../../support/raw-receiver.ts"
import { startReceiver } from "../../support/receiver.ts"

let authority: Authority
let certified: Certified

beforeAll(() => {
  authority = openAuthority()
  certified = authority.certify([name])
})
afterAll(() => authority[Symbol.dispose]())

test("an attempt posts the exact bytes with the headers of the standard, and a 2xx is delivered", async () => {
  await using receiver = await startReceiver(authority, name, () => new Response("vu", { status: 202 }))
  const sent = await attempt(outboundTo(authority, [at(receiver.port)]))
  expect(sent).toEqual({
    outcome: "delivered",
    status: 202,
    durationMs: expect.any(Number),
    cause: null,
    address: null,
    responseExcerpt: "vu",
    responseHeaders: expect.stringContaining("content-length"),
  })
  const [received] = await receiver.waitFor(1)
  expect(received?.method).toBe("POST")
  expect(received?.path).toBe("/in?q=1")
  expect(received?.body).toEqual(body)
  const {
    "webhook-timestamp": timestamp,
    "webhook-signature": signature,
    ...headers
  } = received?.headers.toJSON() ?? {}
  expect(headers).toEqual({
    host: name,
    accept: "*/*",
    "content-type": "application/json",
    "content-length": String(body.length),
    "user-agent": expect.stringMatching(/^Guichet\/\d/),
    "webhook-id": messageId,
  })
  new Webhook(secret).verify(Buffer.from(body), {
    "webhook-id": messageId,
    "webhook-timestamp": timestamp as string,
    "webhook-signature": signature as string,
  })
})

test("the timestamp is the time of sending, by the injected clock", async () => {
  await using receiver = await startReceiver(authority, name)
  await attempt(outboundTo(authority, [at(receiver.port)], { clock: { now: () => 1_700_000_000_999 } }))
  const [received] = await receiver.waitFor(1)
  expect(received?.headers.get("webhook-timestamp")).toBe("1700000000")
})

test("a redirect counts as a failure and is never followed", async () => {
  await using elsewhere = await startReceiver(authority, "elsewhere.acme.fr")
  for (const status of [301, 302, 303, 307, 308]) {
    const location = `https://elsewhere.acme.fr:${elsewhere.port}/`
    await using receiver = await startReceiver(
      authority,
      name,
      () => new Response("", { status, headers: { location } }),
    )
    const outbound = outboundTo(authority, [at(receiver.port), at(elsewhere.port, "elsewhere.acme.fr")])
    expect(await attempt(outbound)).toMatchObject({ outcome: "http_status", status })
  }
  expect(elsewhere.received).toEqual([])
})

const answers: Record<
  string,
  [answer: string, outcome: string, status: number | null, responseExcerpt: string | null]
> = {
  "204 without a body": ["HTTP/1.1 204 No Content\r\n\r\n", "delivered", 204, null],
  "299, the last of the 2xx": ["HTTP/1.1 299 x\r\nContent-Length: 2\r\n\r\nok", "delivered", 299, "ok"],
  "an informational answer first": [
    "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
    "delivered",
    200,
    "ok",
  ],
  "HTTP/1.0": ["HTTP/1.0 200 OK\r\n\r\nold", "delivered", 200, "old"],
  "chunks with extensions and trailers": [
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nx: y\r\n\r\n",
    "delivered",
    200,
    "abcde",
  ],
  "lines that end without a return": ["HTTP/1.1 200 OK\nContent-Length: 2\n\nok", "delivered", 200, "ok"],
  "the same length twice": [
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok",
    "delivered",
    200,
    "ok",
  ],
  "more than its length": ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1", "delivered", 200, "ok"],
  "20 kB of fields": [
    `HTTP/1.1 200 OK\r\n${`set-cookie: ${"x".repeat(4000)}\r\n`.repeat(5)}Content-Length: 0\r\n\r\n`,
    "delivered",
    200,
    null,
  ],
  "a folded field": [
    "HTTP/1.1 200 OK\r\nX-A: b\r\n\tc\r\nContent-Length: 2\r\n\r\nok",
    "delivered",
    200,
    "ok",
  ],
  "a folded field first": ["HTTP/1.1 200 OK\r\n x\r\nContent-Length: 2\r\n\r\nok", "delivered", 200, "ok"],
  "a blank before the colon": ["HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nok", "delivered", 200, "ok"],
  "names and lines that are none": [
    "HTTP/1.1 503 x\r\nx y: a\r\n: b\r\nno colon\r\n{}@é\xff: \x01\r\nX-\0: b\r\n\r\nbad",
    "http_status",
    503,
    "bad",
  ],
  "a return without a line end": [
    "HTTP/1.1 200 OK\r\nX: a\rb\r\nContent-Length: 2\r\n\r\nok",
    "delivered",
    200,
    "ok",
  ],
  "three hundred fields": [
    `HTTP/1.1 200 OK\r\n${Array.from({ length: 300 }, (_, n) => `X-${n}: ${n}\r\n`).join("")}Content-Length: 2\r\n\r\nok`,
    "delivered",
    200,
    "ok",
  ],
  "200 kB of fields": [`HTTP/1.1 410 x\r\nX: ${"x".repeat(200_000)}\r\n\r\ngone`, "http_status", 410, null],
  "an unknown coding": ["HTTP/1.1 200 OK\r\nTransfer-Encoding: x\r\n\r\nok", "delivered", 200, "ok"],
  "several informational answers": [
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 x\r\nX : y\r\n\r\nHTTP/1.1 500 x\r\nContent-Length: 3\r\n\r\nbad",
    "http_status",
    500,
    "bad",
  ],
  "an informational answer and no other": ["HTTP/1.1 103 x\r\nLink: a\r\n\r\n", "connection", null, null],
  "an empty line first": ["\r\nHTTP/1.1 204 x\r\n\r\n", "delivered", 204, null],
  "a status line alone": ["HTTP/1.1 429 Too Many Requests", "http_status", 429, null],
  "a status of the future": ["HTTP/1.1 799 x\r\n\r\n", "http_status", 799, null],
  "no reason": ["HTTP/1.1 204\r\n\r\n", "delivered", 204, null],
  "a 2xx whose body is cut short": ["HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n", "delivered", 200, null],
  "a 2xx whose chunks are malformed": [
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nx",
    "delivered",
    200,
    null,
  ],
  "401": ["HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n", "http_status", 401, null],
  "410": ["HTTP/1.1 410 Gone\r\nContent-Length: 4\r\n\r\ngone", "http_status", 410, "gone"],
  "429 with Retry-After": [
    "HTTP/1.1 429 x\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n",
    "http_status",
    429,
    null,
  ],
  "500": ["HTTP/1.1 500 x\r\nContent-Length: 3\r\n\r\nbad", "http_status", 500, "bad"],
  "a redirect to nowhere": [
    "HTTP/1.1 302 x\r\nLocation: http://[\r\nContent-Length: 0\r\n\r\n",
    "http_status",
    302,
    null,
  ],
  "a switch of protocols nobody asked for": [
    "HTTP/1.1 101 x\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
    "protocol",
    null,
    null,
  ],
  "another protocol": ["SSH-2.0-OpenSSH_9.2\r\n", "protocol", null, null],
  "HTTP/2 without asking": ["HTTP/2 200 OK\r\n\r\n", "protocol", null, null],
  "a status of two digits": ["HTTP/1.1 20 OK\r\n\r\n", "protocol", null, null],
  "two lengths": [
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 3\r\n\r\nhello",
    "delivered",
    200,
    "hello",
  ],
  "a negative length": ["HTTP/1.1 500 x\r\nContent-Length: -5\r\n\r\nhello", "http_status", 500, "hello"],
  nothing: ["", "connection", null, null],
  "half a head": ["HTTP/1.1 200 OK\r\nConte", "delivered", 200, null],
  "half a status line": ["HTTP/1.1 20", "connection", null, null],
}

test.each(Object.entries(answers))("%s", async (_name, [answer, outcome, status, responseExcerpt]) => {
  await using receiver = await startRawReceiver(certified, (socket) => socket.end(answer))
  const sent = await attempt(outboundTo(authority, [at(receiver.port)]))
  expect(sent).toMatchObject({
    outcome,
    status,
    durationMs: expect.any(Number),
    responseExcerpt,
  } as typeof sent)
  expect(receiver.requests).toBe(1)
})

const endless: Record<
  string,
  [head: string, piece: string, outcome: string, excerptLength: number | undefined]
> = {
  "an endless body": ["HTTP/1.1 200 OK\r\n\r\n", "x".repeat(65_536), "delivered", 4096],
  "endless chunks": [
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
    `10000\r\n${"x".repeat(65_536)}\r\n`,
    "delivered",
    4096,
  ],
  "an endless header": ["HTTP/1.1 200 OK\r\nx: ", "x".repeat(65_536), "delivered", undefined],
  "endless headers": ["HTTP/1.1 200 OK\r\n", "x-a: b\r\n".repeat(1000), "delivered", undefined],
  "an endless status line": ["HTTP/1.1 200 ", "x".repeat(65_536), "protocol", undefined],
  "endless informational answers": ["", "HTTP/1.1 100 Continue\r\n\r\n".repeat(1000), "protocol", undefined],
  "endless chunks of a byte": [
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
    "1\r\nx\r\n".repeat(1000),
    "delivered",
    4096,
  ],
  "a chunk's endless size": [
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;",
    "x".repeat(65_536),
    "delivered",
    undefined,
  ],
}

test.each(Object.entries(endless))(
  "%s ends in bounded time",
  async (_name, [head, piece, outcome, length]) => {
    const closed = Promise.withResolvers<void>()
    await using receiver = await startRawReceiver(certified, (socket) => {
      socket.on("close", () => closed.resolve())
      socket.write(head)
      flood(socket, piece)
    })
    const sent = await attempt(outboundTo(authority, [at(receiver.port)]))
    expect([sent.outcome, sent.responseExcerpt?.length] as unknown[]).toEqual([outcome, length])
    await closed.promise
  },
)

test("a compressed answer is neither asked for nor unpacked", async () => {
  const bomb = gzipSync(Buffer.alloc(5_000_000))
  await using receiver = await startReceiver(
    authority,
    name,
    () => new Response(bomb, { headers: { "content-encoding": "gzip" } }),
  )
  const sent = await attempt(outboundTo(authority, [at(receiver.port)]))
  expect(sent).toMatchObject({ outcome: "delivered", status: 200, responseExcerpt: null })
  expect((await receiver.waitFor(1))[0]?.headers.has("accept-encoding")).toBe(false)
})

test("what is kept of an answer is safe to store and to show", async () => {
  const hostile = "a\u0000b\u001b[31mc\u202ed\ttab\nline \ud83d\ude00 é"
  await using receiver = await startReceiver(authority, name, () => new Response(hostile))
  const { responseExcerpt } = await attempt(outboundTo(authority, [at(receiver.port)]))
  expect(responseExcerpt).toBe("a\ufffdb\ufffd[31mc\ufffdd\ttab\nline \ud83d\ude00 é")
})

const charsets: Record<string, [contentType: string, bytes: Uint8Array<ArrayBuffer>]> = {
  "of its type": ["text/plain; charset=ISO-8859-1", Buffer.from("déjà vu", "latin1")],
  "of its type, in quotes": ['application/json;charset="utf-16le"', Buffer.from("déjà vu", "utf16le")],
  "of its byte order mark": ["text/plain", Buffer.from("\ufeffdéjà vu", "utf16le")],
  "UTF-8 by default": ["application/json", Buffer.from("déjà vu")],
  "of western text that says nothing": ["text/html", Buffer.from("déjà vu", "latin1")],
  "that nobody knows": ["text/plain; charset=klingon", Buffer.from("déjà vu")],
}

test.each(Object.entries(charsets))("an excerpt is read in the charset %s", async (_name, [type, bytes]) => {
  await using receiver = await startReceiver(
    authority,
    name,
    () => new Response(bytes, { status: 500, headers: { "content-type": type } }),
  )
  expect((await attempt(outboundTo(authority, [at(receiver.port)]))).responseExcerpt).toBe("déjà vu")
})

test("a path goes out byte for byte as it was registered", async () => {
  const lines: string[] = []
  await using receiver = await startRawReceiver(
    certified,
    (socket) => {
      socket.end("HTTP/1.1 204 x\r\n\r\n")
    },
    (head) => lines.push(head.split("\r\n", 1)[0] as string),
  )
  const outbound = outboundTo(authority, [at(receiver.port)])
  const paths = ["//a", "/a/../b", "/./a//", "/%2e%2e/%2F%zz", "/a;b=1,2", "/?", "/a?b=/../c&d[]=1", "/é"]
  for (const path of paths)
    expect((await attempt(outbound, `https://${name}${path}`)).outcome).toBe("delivered")
  const sent = [...paths.slice(0, -1), "/%C3%A9"]
  expect(lines).toEqual(sent.map((path) => `POST ${path} HTTP/1.1`))
})

test("no character is cut in the middle", async () => {
  await using receiver = await startReceiver(authority, name, () => new Response(`x${"é".repeat(3000)}`))
  const { responseExcerpt } = await attempt(outboundTo(authority, [at(receiver.port)]))
  expect(responseExcerpt).toBe(`x${"é".repeat(2047)}`)
})
