import { afterAll, beforeAll, expect, test } from "bun:test"
import { closeSync, openSync, rmSync, writeSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { mayMount, mountMemory } from "../support/mount.ts"
import { engine } from "../support/postgres.ts"
import { type Service, temporaryFolder } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

let service: Service
beforeAll(async () => {
  service = await aService().started()
})
afterAll(() => service[Symbol.asyncDispose]())

test("/healthz and /readyz answer 200 with no project at all", async () => {
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
})

test("what /healthz and /readyz say is text that a browser shows", async () => {
  for (const path of ["/healthz", "/readyz"])
    expect((await fetch(`${service.url}${path}`)).headers.get("content-type")).toStartWith("text/plain")
})

test("however often and by however many at once /readyz is asked, the disk is written once a second", async () => {
  const { db } = service.app
  const writes = async () => (await db.selectFrom("probe").select("writes").executeTakeFirstOrThrow()).writes
  await Bun.sleep(1000)
  const [before, startedAt] = [await writes(), performance.now()]
  for (let round = 0; round < 10; round++) {
    const replies = await Promise.all(Array.from({ length: 30 }, () => fetch(`${service.url}/readyz`)))
    expect(replies.map(({ status }) => status)).toEqual(Array(30).fill(200))
  }
  const seconds = (performance.now() - startedAt) / 1000
  const written = (await writes()) - before
  expect([written >= 1, written <= 1 + seconds]).toEqual([true, true])
})

test("an unknown address is 404 with the error object", async () => {
  const reply = await fetch(`${service.url}/api/v1/nothing`)
  expect(reply.status).toBe(404)
  expect(await reply.json()).toEqual({ error: { code: "not_found", message: "Cette URL n’existe pas." } })
})

test("a wrong method is 405 with the methods that are allowed", async () => {
  const reply = await fetch(`${service.url}/readyz`, { method: "DELETE" })
  expect(reply.status).toBe(405)
  expect(reply.headers.get("allow")).toBe("GET")
  expect(await reply.json()).toMatchObject({ error: { code: "method_not_allowed" } })
})

const probes: Record<string, string> = {
  "HAProxy's default": "OPTIONS / HTTP/1.0\r\n\r\n",
  "HAProxy with a path": "OPTIONS /healthz HTTP/1.0\r\n\r\n",
  "HAProxy with a method": "GET /readyz HTTP/1.0\r\n\r\n",
  keepalived: "GET /readyz HTTP/1.0\r\nUser-Agent: KeepAliveClient\r\nHost: 10.0.0.7:3000\r\n\r\n",
  "nginx, by the name of its upstream": "GET /readyz HTTP/1.0\r\nHost: app\r\nConnection: close\r\n\r\n",
  "nginx plus": "GET /healthz HTTP/1.1\r\nHost: guichet_backend\r\nConnection: close\r\n\r\n",
  Traefik:
    "GET /healthz HTTP/1.1\r\nHost: [fd00::7]:3000\r\nUser-Agent: Go-http-client/1.1\r\nConnection: close\r\n\r\n",
  "an ELB":
    "GET /readyz HTTP/1.1\r\nHost: 172.31.0.9:3000\r\nUser-Agent: ELB-HealthChecker/2.0\r\nConnection: close\r\n\r\n",
  "a HEAD": "HEAD /healthz HTTP/1.0\r\n\r\n",
  "an empty Host": "GET /readyz HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n",
  "a Host that no URL can hold":
    "GET /readyz/?deep=1 HTTP/1.1\r\nHost: 1.2.3.400\r\nConnection: close\r\n\r\n",
  "the whole address": "GET http://x/healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
}

test.each(Object.entries(probes))(
  "a probe is answered as load balancers send it: %s",
  async (_name, request) => {
    const reply = await rawReply(request)
    expect(reply).toStartWith("HTTP/1.1 200 OK\r\n")
    expect(reply.endsWith("\r\n\r\nok\n")).toBe(!request.startsWith("HEAD"))
  },
)

test.each(["app", "up stream", "1.2.3.400", undefined])(
  "other requests with the Host %p are told what the proxy is to send",
  async (host) => {
    const line = host === undefined ? "" : `Host: ${host}\r\n`
    const reply = await rawReply(`GET /readyzz HTTP/1.0\r\n${line}\r\n`)
    expect(reply).toStartWith("HTTP/1.1 400")
    expect(JSON.parse(reply.split("\r\n\r\n")[1] ?? "")).toMatchObject({
      error: { code: "invalid_request", message: expect.stringContaining("proxy_set_header Host $host") },
    })
  },
)

test.each(["localhost:3000", "guichet:3000", "127.0.0.1:3000"])(
  "the Host %s is one of a site",
  async (host) => {
    expect(await rawReply(`GET /widget.js HTTP/1.0\r\nHost: ${host}\r\n\r\n`)).toStartWith("HTTP/1.1 200")
  },
)

test("a Host too short to route by is refused before routing (elysia#748)", async () => {
  expect(await rawReply("GET /foo/healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")).toStartWith(
    "HTTP/1.1 400",
  )
})

test("a Host that no URL can hold is refused before routing, and shows nobody our code", async () => {
  for (const host of ["1.2.3.400", "a.fr:99999", "a:b:c", "[gggg]", "xn--zz--", "::::"]) {
    const reply = await rawReply(
      `GET /console/setup/secret HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    )
    expect([reply.slice(0, 12), /source|cwd|\.ts/.test(reply)]).toEqual(["HTTP/1.1 400", false])
  }
})

function rawReply(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let reply = ""
    const socket = connect(Number(new URL(service.url).port), "127.0.0.1", () => socket.write(text))
    socket.on("data", (bytes) => {
      reply += bytes.toString()
    })
    socket.on("close", () => resolve(reply))
    socket.on("error", reject)
  })
}

test.skipIf(!mayMount || engine === "postgres")(
  "/readyz is 503 while the disk is full or read-only (needs the right to mount one)",
  async () => {
    using folder = temporaryFolder()
    using _mounted = mountMemory(folder.path, "size=32m,mode=0700")
    await using small = await aService().withSettings({ GUICHET_DATA_DIR: folder.path }).started()
    const ready = async () => (await fetch(`${small.url}/readyz`)).status
    expect(await ready()).toBe(200)
    const filler = join(folder.path, "filler")
    fill(filler)
    // The free part of the write-ahead log still takes a few commits.
    await writeUntilRefused(small)
    expect(await readyUntil(ready, 503)).toBe(503)
    rmSync(filler)
    expect(await readyUntil(ready, 200)).toBe(200)
  },
)

/** Writes until nothing more fits. */
function fill(path: string): void {
  const file = openSync(path, "w")
  try {
    for (let block = 1 << 20; block >= 512; block /= 2) {
      try {
        for (;;) writeSync(file, new Uint8Array(block))
      } catch {
        // This size no longer fits, but a smaller one may.
      }
    }
  } finally {
    closeSync(file)
  }
}

async function writeUntilRefused({ app }: Service): Promise<void> {
  const write = () =>
    app.db
      .updateTable("probe")
      .set((row) => ({ writes: row("writes", "+", 1) }))
      .execute()
  while (
    await write().then(
      () => true,
      () => false,
    )
  ) {}
}

/** Waits because the state of the database is cached for up to a second. */
async function readyUntil(ready: () => Promise<number>, status: number): Promise<number> {
  let last = await ready()
  for (let tries = 0; tries < 100 && last !== status; tries++) {
    await Bun.sleep(50)
    last = await ready()
  }
  return last
}
