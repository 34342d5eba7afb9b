import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import type { IncomingMessage } from "node:http"
import { connect as connectHttp2 } from "node:http2"
import { request } from "node:https"
import { connect } from "node:net"
import { join } from "node:path"
import { connect as connectTls } from "node:tls"
import type { Answerer } from "../../src/answering/answerer.ts"
import { answerable, origin, type Site } from "../support/ask.ts"
import { type Authority, openAuthority } from "../support/authority.ts"
import { type Attached, filledIn } from "../support/files.ts"
import { type FormSite, site as formsSite } from "../support/forms.ts"
import {
  example,
  exampleName,
  noProxyProgram,
  proxyPrograms,
  type RunningProxy,
  startProxyProgram,
} from "../support/proxy-programs.ts"
import { temporaryFolder } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

/** Says one sentence, and the next one never. */
const slow: Answerer = {
  version: "slow",
  async *answer({ passages }, signal) {
    yield { markdown: "Une phrase.", passages: passages.slice(0, 1) }
    await new Promise((resolve) => signal.addEventListener("abort", resolve))
  },
}

let authority: Authority
let guichet: Site & FormSite
let folder: ReturnType<typeof temporaryFolder>
/** Lines of the log since the beginning of the test. */
let log: string[]
const write = process.stderr.write
beforeAll(async () => {
  authority = openAuthority()
  folder = temporaryFolder()
  guichet = await aService()
    // The visitor's address of these tests is on the loopback as well.
    .withSettings({
      GUICHET_LOG_LEVEL: "info",
      GUICHET_TRUSTED_PROXIES: "127.0.0.1",
      GUICHET_FORM_FILE_BYTES_PER_VISITOR_DAY: "1 GB",
    })
    .withOverrides({ assistant: { answerer: slow } })
    .withForms()
    .withIndexedProject()
    .started()
})
afterAll(async () => {
  await guichet[Symbol.asyncDispose]()
  authority[Symbol.dispose]()
  folder[Symbol.dispose]()
})
beforeEach(() => {
  log = []
  process.stderr.write = (line: string | Uint8Array) => log.push(String(line)) > 0
})
afterEach(() => {
  process.stderr.write = write
})

const visitor = "127.0.0.2"

/** A request of a visitor to the name of the examples. */
function ask(
  proxy: RunningProxy,
  path: string,
  headers: Record<string, string> = {},
  body: string | Buffer = "",
) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  request(
    {
      host: "127.0.0.1",
      port: proxy.port,
      localAddress: visitor,
      servername: exampleName,
      ca: readFileSync(authority.caFile, "utf8"),
      method: body.length > 0 ? "POST" : "GET",
      path,
      headers: { host: exampleName, "content-length": Buffer.byteLength(body), ...headers },
      agent: false,
    },
    resolve,
  )
    .on("error", reject)
    .end(body)
  return promise
}

/** A form's post of so many bytes, with files of 25 MiB at most. */
async function postWithFiles(mebibytes: number) {
  const form = await guichet.form({
    fields: [
      { name: "message", label: "Message", type: "textarea" },
      { name: "fichiers", label: "Fichiers", type: "file", accept: ["text"], files: 3 },
    ],
  })
  const inFiles = Math.min(mebibytes * mebibyte - 4096, 25 * mebibyte)
  const texts = [0, 1, 2].map((n) => Buffer.alloc(Math.floor(inFiles / 3), `${n}\n`))
  const files = texts.map((content, n): Attached => ["fichiers", `${n}.txt`, content, "text/plain"])
  const sent = new Response(filledIn({ message: "Bonjour" }, ...files))
  const type = sent.headers.get("content-type") as string
  const body = Buffer.alloc(mebibytes * mebibyte, "\r\n")
  // What stands behind the last part belongs to none (RFC 2046).
  body.set(new Uint8Array(await sent.arrayBuffer()))
  return { path: `/f/${form.publicId}`, type, body }
}

const mebibyte = 1024 ** 2

async function statusOverHttp1(...[proxy, path, headers, body]: Parameters<typeof statusOverHttp2>) {
  const reply = await ask(proxy, path, headers, body)
  await textOf(reply)
  return reply.statusCode
}

function statusOverHttp2(
  proxy: RunningProxy,
  path: string,
  headers: Record<string, string>,
  body: Buffer,
): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  const session = connectHttp2(`https://${exampleName}`, {
    ca: readFileSync(authority.caFile, "utf8"),
    createConnection: () =>
      connectTls({
        host: "127.0.0.1",
        port: proxy.port,
        localAddress: visitor,
        servername: exampleName,
        ca: readFileSync(authority.caFile, "utf8"),
        ALPNProtocols: ["h2"],
      } as object),
  })
  session.on("error", reject)
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    "content-length": String(body.length),
    ...headers,
  })
  stream.on("response", (got) => resolve(got[":status"]))
  stream.on("error", reject)
  stream.end(body)
  return promise.finally(() => session.destroy())
}

async function textOf(reply: IncomingMessage): Promise<string> {
  return Buffer.concat(await Array.fromAsync(reply)).toString()
}

for (const [name, program] of Object.entries(proxyPrograms)) {
  describe.skipIf(noProxyProgram(program.program))(`the example for ${name}`, () => {
    let proxy: RunningProxy
    beforeAll(async () => {
      const { host } = new URL(guichet.url)
      proxy = await startProxyProgram(
        program,
        host,
        join(folder.path, name),
        authority.certify([exampleName]),
      )
    })
    afterAll(() => proxy[Symbol.asyncDispose]())

    test("leads to the service, and http to https", async () => {
      expect(await textOf(await ask(proxy, "/readyz"))).toBe("ok\n")
      const plain = await fetch(`http://127.0.0.1:${proxy.plainPort}/console`, {
        headers: { host: exampleName },
        redirect: "manual",
      })
      expect([301, 308]).toContain(plain.status)
      expect(plain.headers.get("location")).toStartWith(`https://${exampleName}`)
    })

    test("hands over the name that was asked for and the address of the visitor, whatever the visitor claims", async () => {
      const reply = await ask(
        proxy,
        "/console/sign-in",
        {
          "content-type": "application/x-www-form-urlencoded",
          // A form of the console is taken from the very host that it is sent to.
          origin: `https://${exampleName}`,
          "x-forwarded-for": "203.0.113.9",
        },
        "email=camille%40exemple.fr&password=faux",
      )
      await textOf(reply)
      const lines = log.flatMap((text) => text.split("\n")).filter((line) => line.includes("sign-in failed"))
      expect(lines.map((line) => JSON.parse(line).address)).toEqual([visitor])
    })

    for (const version of ["HTTP/1.1", "HTTP/2"] as const)
      for (const [mebibytes, statuses] of [
        [2, [201]],
        [26, [201]],
        [28, [400, 413]],
      ] as const)
        test(`answers a form post of ${mebibytes} MiB over ${version} with ${statuses.join(" or ")}`, async () => {
          const { type, body, path } = await postWithFiles(mebibytes)
          const headers = { "content-type": type, origin: formsSite, accept: "application/json" }
          const post = version === "HTTP/2" ? statusOverHttp2 : statusOverHttp1
          expect(statuses).toContain((await post(proxy, path, headers, body)) as never)
        })

    test("passes a sentence on before the next is known", async () => {
      const body = JSON.stringify({ project: guichet.project.id, question: answerable })
      const accept = { "content-type": "application/json", accept: "text/event-stream", origin }
      const reply = await ask(proxy, "/api/v1/ask", accept, body)
      for await (const piece of reply) {
        expect(String(piece)).toStartWith("event: sentence\n")
        break
      }
    })
  })
}

const noHaproxy = noProxyProgram("haproxy")

test.skipIf(noHaproxy)("HAProxy's check, with its defaults, finds the service", async () => {
  const { host } = new URL(guichet.url)
  const own = join(folder.path, "probed")
  const certified = authority.certify([exampleName])
  await using proxy = await startProxyProgram(proxyPrograms["HAProxy"] as never, host, own, certified)
  const stateOf = async () => {
    const [names = "", ...rows] = (await statsOf(join(proxy.folder, "stats"))).split("\n")
    const row = rows.find((line) => line.startsWith("guichet,node1,"))?.split(",") ?? []
    const field = (name: string) => row[names.split(",").indexOf(name)]
    return { status: field("status"), check: field("check_status"), code: field("check_code") }
  }
  let state = await stateOf()
  while (!state.check || state.check === "INI") {
    await Bun.sleep(50)
    state = await stateOf()
  }
  expect(state).toEqual({ status: "UP", check: "L7OK", code: "200" })
})

async function statsOf(path: string): Promise<string> {
  const socket = connect(path)
  socket.write("show stat\n")
  return Buffer.concat(await Array.fromAsync(socket)).toString()
}

test("the example for Traefik, which Debian does not package, names what the others name", () => {
  const { http } = Bun.YAML.parse(example("traefik.yml")) as {
    http: {
      routers: { guichet: { rule: string; service: string } }
      services: Record<string, { loadBalancer: { servers: object[]; healthCheck: { path: string } } }>
    }
  }
  const { rule, service } = http.routers.guichet
  expect(rule).toBe(`Host(\`${exampleName}\`)`)
  expect(http.services[service]?.loadBalancer).toMatchObject({
    servers: [{ url: "http://127.0.0.1:3000" }],
    healthCheck: { path: "/readyz" },
  })
})
