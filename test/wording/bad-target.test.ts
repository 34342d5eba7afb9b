import { afterAll, beforeAll, expect, spyOn, test } from "bun:test"
import { connect } from "node:net"
import { createToken } from "../../src/accounts/token.ts"
import { defaultWorkspaceId } from "../../src/accounts/workspace.ts"
import { type ConsoleClient, signedIn } from "../support/operator.ts"
import type { Service } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

let service: Service
let port: number
let token: string
let operator: ConsoleClient
const logged: string[] = []
const stderr = spyOn(process.stderr, "write").mockImplementation((line) => {
  logged.push(String(line))
  return true
})

beforeAll(async () => {
  service = await aService().started()
  port = Number(new URL(service.url).port)
  const { app } = service
  token = (await createToken(app.db, await defaultWorkspaceId(app.db), "", app.clock.now())).text
  operator = await signedIn(service)
})
afterAll(async () => {
  stderr.mockRestore()
  await service[Symbol.asyncDispose]()
})

/** The status of the answer to exactly these bytes; 0 when the connection ends without one. */
function statusOf(bytes: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  let answer = ""
  const socket = connect(port, "127.0.0.1", () => socket.write(Buffer.from(bytes, "latin1")))
  socket.on("data", (data) => {
    answer += data.toString("latin1")
    if (answer.includes("\r\n\r\n")) socket.destroy()
  })
  socket.on("error", reject)
  socket.on("close", () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0)))
  return promise
}

const host = () => `Host: 127.0.0.1:${port}\r\n`
const repeated = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join("")

/** Requests that no browser sends, and the statuses that are an answer to them. */
const odd: Record<string, [wanted: number[], request: () => string]> = {
  "a tunnel": [[405], () => "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n"],
  "a tunnel to the service itself": [[405], () => `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n${host()}\r\n`],
  "a tunnel to a path": [[405], () => `CONNECT / HTTP/1.1\r\n${host()}\r\n`],
  TRACE: [[405], () => `TRACE /healthz HTTP/1.1\r\n${host()}\r\n`],
  "a method of WebDAV": [[405], () => `PROPFIND /api/v1/projects HTTP/1.1\r\n${host()}\r\n`],
  // Bun ends such a connection itself, without a word.
  "a method that is none": [[0, 400], () => `BREW /healthz HTTP/1.1\r\n${host()}\r\n`],
  "a method with a name of JavaScript": [[0, 400], () => `__proto__ /healthz HTTP/1.1\r\n${host()}\r\n`],
  "OPTIONS *": [[204, 400], () => `OPTIONS * HTTP/1.1\r\n${host()}\r\n`],
  "GET *": [[400], () => `GET * HTTP/1.1\r\n${host()}\r\n`],
  "an absolute target": [[200], () => `GET http://127.0.0.1:${port}/healthz HTTP/1.1\r\n${host()}\r\n`],
  "an absolute target elsewhere": [[200], () => `GET http://evil.example/healthz HTTP/1.1\r\n${host()}\r\n`],
  "an absolute target that is none": [
    [200, 400],
    () => `GET http://[::::]/healthz HTTP/1.1\r\n${host()}\r\n`,
  ],
  "another scheme": [[400], () => `GET ftp://x/healthz HTTP/1.1\r\n${host()}\r\n`],
  "a target without a slash": [[400], () => `GET healthz HTTP/1.1\r\n${host()}\r\n`],
  "two slashes": [[404], () => `GET //[/x HTTP/1.1\r\n${host()}\r\n`],
  "HTTP/1.0 without Host": [[400], () => "GET /console/sign-in HTTP/1.0\r\n\r\n"],
  "HTTP/1.1 without Host": [[400], () => "GET /console/sign-in HTTP/1.1\r\n\r\n"],
  "HTTP/0.9": [[505], () => "GET /console/sign-in\r\n\r\n"],
  "two Hosts": [[400], () => `GET /console/sign-in HTTP/1.1\r\n${host()}Host: evil.example\r\n\r\n`],
  "an empty Host": [[400], () => "GET /console/sign-in HTTP/1.1\r\nHost:\r\n\r\n"],
  "a Host with a path": [[400], () => "GET /console/sign-in HTTP/1.1\r\nHost: a.fr/x\r\n\r\n"],
  "a Host with a user": [[400], () => "GET /console/sign-in HTTP/1.1\r\nHost: u@a.fr\r\n\r\n"],
  "a long Host": [[400], () => `GET /console/sign-in HTTP/1.1\r\nHost: ${"a.".repeat(200)}fr\r\n\r\n`],
  "many headers": [
    [200],
    () => `GET /console/sign-in HTTP/1.1\r\n${host()}${repeated(90, (n) => `X-${n}: y\r\n`)}\r\n`,
  ],
  "a flood of headers": [
    [431],
    () => `GET /console/sign-in HTTP/1.1\r\n${host()}${repeated(300, (n) => `X-${n}: y\r\n`)}\r\n`,
  ],
  "a header of 20 KB": [
    [431],
    () => `GET /console/sign-in HTTP/1.1\r\n${host()}X-A: ${"y".repeat(20_000)}\r\n\r\n`,
  ],
  "a path of 9 KB": [[404], () => `GET /${"a".repeat(9_000)} HTTP/1.1\r\n${host()}\r\n`],
  "a path of 60 KB": [[431], () => `GET /${"a".repeat(60_000)} HTTP/1.1\r\n${host()}\r\n`],
  "a query of 9 KB": [[200], () => `GET /console/sign-in?${"a=1&".repeat(2_250)} HTTP/1.1\r\n${host()}\r\n`],
  "a query of rubbish": [
    [200],
    () => `GET /console/sign-in?%ff=%&__proto__=1&a[b]=%00 HTTP/1.1\r\n${host()}\r\n`,
  ],
  "a path of bytes": [[404], () => `GET /\xff\xfe HTTP/1.1\r\n${host()}\r\n`],
  "cookies of rubbish": [
    [303],
    () => `GET /console HTTP/1.1\r\n${host()}Cookie: guichet=%ff; =; ;;%\r\n\r\n`,
  ],
  "a token of bytes": [
    [401],
    () => `GET /api/v1/projects HTTP/1.1\r\n${host()}Authorization: Bearer \xff\r\n\r\n`,
  ],
  "an Origin that is none": [
    [403],
    () => `POST /console/sign-in HTTP/1.1\r\n${host()}Origin: http://[\r\nContent-Length: 0\r\n\r\n`,
  ],
  "two lengths": [
    [400],
    () => `POST /api/v1/ask HTTP/1.1\r\n${host()}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
  ],
  "a length and chunks": [
    [400],
    () =>
      `POST /api/v1/ask HTTP/1.1\r\n${host()}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  "a chunk that is none": [
    [400],
    () => `POST /api/v1/ask HTTP/1.1\r\n${host()}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
  ],
}

test("whatever is sent is answered, and nothing of it fails in us", async () => {
  for (const [name, [wanted, request]] of Object.entries(odd)) {
    const status = await statusOf(request())
    expect([name, wanted.includes(status) || status]).toEqual([name, true])
  }
  expect(logged).toEqual([])
  expect(await statusOf(`GET /healthz HTTP/1.1\r\n${host()}\r\n`)).toBe(200)
})

test("a tunnel is refused with what is allowed instead", async () => {
  const reply = await fetch(`${service.url}/healthz`, { method: "TRACE" }).catch(() => undefined)
  expect([405, undefined]).toContain(reply?.status)
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = connect(port, "127.0.0.1", () =>
    socket.write("CONNECT a.fr:443 HTTP/1.1\r\nHost: a.fr:443\r\n\r\n"),
  )
  socket.once("data", (data) => resolve(data.toString()))
  const answer = await promise
  socket.destroy()
  expect(answer).toContain("method_not_allowed")
  expect(answer.toLowerCase()).toContain("\r\nallow: get, head,")
})

/** Parts of a path that name nothing, readable or not. */
const rubbish = [
  "%ff",
  "%00",
  "%",
  "%c3%28",
  "%ed%a0%80",
  "x%00",
  "%2e%2e",
  "%2F",
  "..%2f",
  "é",
  "%20",
  "'",
  "x".repeat(4_000),
]

test("rubbish in a path names nothing, on every route, signed in or not", async () => {
  const routes = service.routes.filter((route) => route.includes(":"))
  expect(routes.length).toBeGreaterThan(60)
  for (const route of routes)
    for (const part of rubbish) {
      const [method, path] = route.replace(/:\w+/g, part).split(" ") as [string, string]
      const isConsole = path.startsWith("/console")
      const { status } = await fetch(`${service.url}${path}`, {
        method,
        redirect: "manual",
        headers: {
          authorization: `Bearer ${token}`,
          origin: service.url,
          ...(isConsole && { cookie: operator.cookie }),
        },
      })
      expect([route, part, status < 500]).toEqual([route, part, true])
      if (!isConsole || /%ff|%00|%$/.test(part)) expect([route, part, status]).not.toEqual([route, part, 200])
    }
  expect(logged).toEqual([])
})

test("rubbish in a query is answered on every list and page", async () => {
  const queries = [
    "limit=%ff",
    "limit=1e9",
    "cursor=%00",
    "cursor=__proto__",
    "limit=1&limit=2",
    "%ff=%ff",
    "since=%ff",
    "state[]=x",
    "done=__proto__",
    "next=//evil.example",
    "page=-1",
  ]
  const pages = service.routes.filter((route) => route.startsWith("GET ") && !/[:*]/.test(route))
  for (const route of pages)
    for (const query of queries) {
      const { status } = await fetch(`${service.url}${route.slice(4)}?${query}`, {
        redirect: "manual",
        headers: { authorization: `Bearer ${token}`, cookie: operator.cookie },
      })
      expect([route, query, status < 500]).toEqual([route, query, true])
    }
  expect(logged).toEqual([])
})
