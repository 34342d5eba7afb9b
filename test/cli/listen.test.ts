import { afterEach, expect, test } from "bun:test"
import { Webhook } from "standardwebhooks"
import { createToken } from "../../src/accounts/token.ts"
import { guichet, program } from "../support/cli.ts"
import { aService } from "../support/service-builder.ts"
import type { Webhooks } from "../support/webhooks.ts"

const main = await program()

let webhooks: Webhooks
afterEach(() => webhooks[Symbol.asyncDispose]())

async function start(scopes = ["messages:read"]): Promise<string> {
  webhooks = await aService().withReceivers().started()
  const { app } = webhooks.service
  return (await createToken(app.db, webhooks.api.workspaceId, "", webhooks.clock.now(), scopes)).text
}

/** `guichet listen`, as a person leaves it running. */
function listen(token: string, ...argv: string[]) {
  const child = Bun.spawn([process.execPath, main, "listen", "--url", webhooks.service.url, ...argv], {
    env: { PATH: process.env["PATH"] ?? "", GUICHET_TOKEN: token },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  })
  return {
    child,
    said: reader(child.stderr),
    printed: reader(child.stdout),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL")
      await child.exited
    },
  }
}

/** Resolves to everything that came once the pattern is in it. */
function reader(stream: ReadableStream<Uint8Array>) {
  const source = stream.getReader()
  const decoder = new TextDecoder()
  let text = ""
  return async (pattern: RegExp): Promise<string> => {
    while (!pattern.test(text)) {
      const { done, value } = await source.read()
      if (done) throw new Error(`no ${pattern} in: ${text}`)
      text += decoder.decode(value)
    }
    return text
  }
}

test("messages are printed and forwarded, signed with the secret that is shown; Ctrl-C ends it", async () => {
  const token = await start()
  await webhooks.respond({ nom: "before" })
  const received: { headers: Headers; body: string }[] = []
  let code = 500
  await using application = server(async (request) => {
    received.push({ headers: request.headers, body: await request.text() })
    const answer = new Response("", { status: code })
    code = 204
    return answer
  })
  await using run = listen(token, "--to", `${application.url}hooks`)
  const said = await run.said(/listening to/)
  const secret = /whsec_\S+/.exec(said)?.[0] as string
  await webhooks.respond({ nom: "Zoé\u001b[31m" })
  const printed = await run.printed(/→ 204/)
  expect(printed).not.toContain("before")
  expect(printed).toContain("Zoé")
  expect(printed).not.toContain("\u001b")
  expect(received).toHaveLength(2)
  for (const { headers, body } of received) {
    const webhook = new Webhook(secret)
    expect(webhook.verify(body, headers.toJSON() as Record<string, string>)).toHaveProperty("data")
  }
  expect(received[0]?.headers.get("webhook-id")).toBe(received[1]?.headers.get("webhook-id") as string)
  run.child.kill("SIGINT")
  expect(await run.child.exited).toBe(0)
  expect(await run.said(/--after \d+/)).toContain("answers 500")
})

function server(answer: (request: Request) => Promise<Response>) {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: (request) => answer(request) })
  return { url: server.url.href, [Symbol.asyncDispose]: () => server.stop(true) }
}

test("it goes on after a cursor, one JSON object a line for programs", async () => {
  const token = await start()
  await webhooks.respond({ nom: "before" })
  await using run = listen(token, "--json", "--after", "0")
  const [line = ""] = (await run.printed(/\n/)).split("\n")
  const message = JSON.parse(line)
  expect(message.id).toMatch(/^msg_/)
  expect(JSON.parse(message.body).data.values).toEqual({ nom: "before" })
})

test("with --test it begins with a message of invented data, signed like any other", async () => {
  const token = await start()
  const received: Request[] = []
  const bodies: string[] = []
  await using application = server(async (request) => {
    received.push(request)
    bodies.push(await request.text())
    return new Response(null, { status: 204 })
  })
  await using run = listen(token, "--test", "--json", "--to", `${application.url}hooks`)
  const secret = /whsec_\S+/.exec(await run.said(/whsec_\S+\n/))?.[0] as string
  const [line = ""] = (await run.printed(/\n/)).split("\n")
  const message = JSON.parse(line)
  expect(message).toMatchObject({ id: expect.stringMatching(/^msg_/), forwarded: 204 })
  expect(JSON.parse(message.body)).toMatchObject({
    type: "form.response.created",
    data: { values: { nom: "Camille Exemple" } },
  })
  const headers = received[0]?.headers.toJSON() as Record<string, string>
  expect(new Webhook(secret).verify(bodies[0] as string, headers)).toHaveProperty("data")
  await run.said(/listening to/)
})

test("a service that comes back is listened to again", async () => {
  const token = await start()
  const { url } = webhooks.service
  let isDown = true
  await using door = server(async (request) => {
    if (isDown) return new Response(null, { status: 503, headers: { "retry-after": "1" } })
    const { pathname, search } = new URL(request.url)
    return fetch(`${url}${pathname}${search}`, { headers: { authorization: `Bearer ${token}` } })
  })
  await using run = listen(token, "--url", door.url, "--after", "0")
  await run.said(/answers 503: trying again in 1 s/)
  isDown = false
  await webhooks.respond({ nom: "Zoé" })
  await run.printed(/Zoé/)
})

test.each([
  ["a token without the right", ["forms:read"], [], /lacks the scope messages:read/, 1],
  ["a cursor that is none", ["messages:read"], ["--after", "x"], /does not know the cursor/, 1],
  ["an address that is none", ["messages:read"], ["--to", "localhost:4000"], /--to is no address/, 2],
  ["a service that would get the token in clear text", [], ["--url", "http://guichet.test"], /clear text/, 2],
] as const)("%s ends it with a reason", async (_, scopes, argv, reason, exitCode) => {
  const token = await start([...scopes])
  const ended = await guichet(["listen", "--url", webhooks.service.url, ...argv], {}, `${token}\n`)
  expect([ended.exitCode, ended.stderr]).toEqual([exitCode, expect.stringMatching(reason)])
  expect(ended.stderr).not.toContain(token)
})
