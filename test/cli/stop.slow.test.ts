import { afterAll, afterEach, beforeEach, expect, test } from "bun:test"
import { connect } from "node:net"
import { openAuthority } from "../support/authority.ts"
import { guichet, program } from "../support/cli.ts"
import { documentation } from "../support/documentation.ts"
import { type Receiver, settingsFor, startReceiver } from "../support/receiver.ts"
import { startServe } from "../support/serve.ts"
import { type TemporaryFolder, temporaryFolder } from "../support/service.ts"

const main = await program()

let folder: TemporaryFolder
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder[Symbol.dispose]())
const authority = openAuthority()
afterAll(() => authority[Symbol.dispose]())

const site = "https://www.acme.fr"

test("a stop turns readiness off, finishes a running request, leaves a hanging attempt claimable and exits 0 in 15 s", async () => {
  await using receiver = await hangingReceiver()
  const environment = environmentFor(receiver)
  {
    const { service, form } = await startDelivering(environment, receiver)
    await using _ = service
    const slow = slowPost(service.url, form)
    service.stop()
    await stateOf(service.url, 503)
    slow.finish()
    expect(await slow.reply).toStartWith("HTTP/1.1 201")
    // A client that never finishes its request.
    slowPost(service.url, form)
    expect(await service.exited, service.log()).toBe(0)
  }
  // The next start delivers both responses: the interrupted attempt is none of the eight.
  receiver.answer = () => new Response("")
  const before = receiver.received.length
  await using again = await startServe(environment)
  await receiver.waitFor(before + 2)
  again.stop()
  expect(await again.exited).toBe(0)
})

test("an idle service with open connections stops at once", async () => {
  await using service = await startServe({ GUICHET_DATA_DIR: folder.path })
  await (await fetch(`${service.url}/healthz`)).text()
  const idle = connect(Number(new URL(service.url).port), "127.0.0.1")
  await new Promise((resolve) => idle.once("connect", resolve))
  const since = performance.now()
  service.stop("SIGINT")
  expect(await service.exited).toBe(0)
  // Running work would be given 10 seconds; there is none to wait for.
  expect(performance.now() - since).toBeLessThan(10_000)
})

test.each([
  ["without a terminal", []],
  ["that nohup started", ["nohup"]],
])("SIGHUP does not end a service %s", async (_name, before) => {
  const command = [...before, process.execPath, main]
  await using service = await startServe({ GUICHET_DATA_DIR: folder.path }, command)
  service.stop("SIGHUP")
  while (!service.log().includes("settings read again")) await Bun.sleep(5)
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
  service.stop("SIGTERM")
  expect(await service.exited).toBe(0)
  expect(service.log()).toContain('"signal":"SIGTERM"')
})

test("a second signal ends it at once", async () => {
  await using receiver = await hangingReceiver()
  const { service } = await startDelivering(environmentFor(receiver), receiver)
  await using _ = service
  service.stop("SIGTERM")
  await stateOf(service.url, 503)
  service.stop("SIGINT")
  expect(await service.exited).toBe(130)
})

test("what was asked of an index before a stop is done after the next start", async () => {
  using docs = documentation({ "a.md": "Le mot est abricot." })
  const environment = { GUICHET_DATA_DIR: folder.path }
  const cli = async (...argv: string[]) => (await guichet(argv, environment)).stdout.trim()
  const project = (await cli("project", "add", "--name", "Acme", "--site", site)).split(/\s/)[0] as string
  await cli("index", project, "--dir", docs.path, "--base-url", site)
  const headers = { authorization: `Bearer ${await cli("token", "create")}` }
  const feeds = async (url: string) =>
    (await (await fetch(`${url}/api/v1/projects/${project}/feeds`, { headers })).json()).items
  {
    await using service = await startServe(environment)
    const [feed] = await feeds(service.url)
    const address = `${service.url}/api/v1/projects/${project}/feeds/${feed.id}`
    expect((await fetch(address, { method: "DELETE", headers })).status).toBe(202)
    service.stop()
    expect(await service.exited, service.log()).toBe(0)
  }
  expect(JSON.parse(await cli("feed", "list", project, "--json")).items).toHaveLength(1)
  await using again = await startServe(environment)
  while ((await feeds(again.url)).length > 0) await Bun.sleep(20)
})

function hangingReceiver(): Promise<Receiver> {
  return startReceiver(authority, "hooks.acme.fr", () => new Promise<Response>(() => {}))
}

function environmentFor(receiver: Receiver): Record<string, string> {
  return { GUICHET_DATA_DIR: folder.path, ...settingsFor(authority, receiver) }
}

/** A service with a form and an endpoint, in the middle of its first attempt. */
async function startDelivering(environment: Record<string, string>, receiver: Receiver) {
  const token = (await guichet(["token", "create"], environment)).stdout.trim()
  const service = await startServe(environment)
  const api = apiOf(service.url, token)
  const form = await contactForm(api)
  await api("/api/v1/endpoints", { url: "https://hooks.acme.fr/hook" })
  expect((await post(service.url, form)).status).toBe(201)
  await receiver.waitFor(1)
  return { service, form }
}

function apiOf(url: string, token: string) {
  return async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    const reply = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) })
    if (reply.status !== 201) throw new Error(await reply.text())
    return reply.json()
  }
}

async function contactForm(api: ReturnType<typeof apiOf>): Promise<string> {
  const project = await api("/api/v1/projects", { name: "Acme", site })
  const fields = [{ name: "texte", label: "Texte", type: "text" }]
  return (await api("/api/v1/forms", { project: project.id, name: "Contact", fields })).public_id
}

function post(url: string, form: string): Promise<Response> {
  const headers = { origin: site, "content-type": "application/json" }
  return fetch(`${url}/f/${form}`, { method: "POST", headers, body: JSON.stringify({ texte: "bonjour" }) })
}

/** Sends a form without the last bytes of its body, which `finish` sends. */
function slowPost(url: string, form: string) {
  const { promise: reply, resolve } = Promise.withResolvers<string>()
  const body = JSON.stringify({ texte: "lentement" })
  const head = `POST /f/${form} HTTP/1.1\r\nHost: localhost\r\nOrigin: ${site}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  const socket = connect(Number(new URL(url).port), "127.0.0.1")
  socket.write(head + body.slice(0, 5))
  socket.once("data", (bytes) => resolve(bytes.toString()))
  socket.on("error", () => {})
  return { reply, finish: () => socket.write(body.slice(5)) }
}

async function stateOf(url: string, status: number): Promise<void> {
  while ((await fetch(`${url}/readyz`)).status !== status) await Bun.sleep(5)
}
