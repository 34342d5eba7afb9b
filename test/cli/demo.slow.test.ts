import { afterAll, beforeAll, expect, test } from "bun:test"
import { existsSync, readdirSync } from "node:fs"
import { guichet, program } from "../support/cli.ts"
import { freePort } from "../support/port.ts"
import { eventually } from "../support/processes.ts"
import { temporaryFolder } from "../support/service.ts"

const main = await program()

/** Starts `guichet demo` as a person does, with no account, no key and an empty folder. */
const folder = temporaryFolder()
const port = await freePort()
const site = `http://localhost:${port}`
let demo: ReturnType<typeof startDemo>
let printed: ReturnType<typeof reader>
let said = ""

beforeAll(async () => {
  demo = startDemo(folder.path, port)
  printed = reader(demo.stdout)
  said = await printed(/Ctrl-C/)
})

afterAll(async () => {
  demo.kill("SIGKILL")
  await demo.exited
  folder[Symbol.dispose]()
})

/** In a folder for what it makes. */
function startDemo(folder: string, port: number) {
  return Bun.spawn([process.execPath, main, "demo"], {
    env: { PATH: process.env["PATH"] ?? "", TMPDIR: folder, GUICHET_PORT: String(port) },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  })
}

/** Resolves to everything that was printed once the pattern is in it. */
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

/** The text that it prints once it is ready. */
function readiness(demo: ReturnType<typeof startDemo>): Promise<string> {
  return textWith(demo.stdout, "Ctrl-C")
}

/** The text that is printed up to `part`. */
async function textWith(stream: ReadableStream<Uint8Array>, part: string): Promise<string> {
  const decoder = new TextDecoder()
  let text = ""
  for await (const bytes of stream) {
    text += decoder.decode(bytes)
    if (text.includes(part)) break
  }
  return text
}

interface Reply {
  status: string
  answer: string
  sources: { url: string }[]
}

async function ask(question: string): Promise<Reply> {
  const project = /"project":"(\w+)"/.exec(said)?.[1]
  const reply = await fetch(`${site}/api/v1/ask`, {
    method: "POST",
    headers: { origin: site, "content-type": "application/json" },
    body: JSON.stringify({ project, question }),
  })
  expect(reply.status).toBe(200)
  return (await reply.json()) as Reply
}

test("on port 0 it tells the port that it found, and a port that is taken is said before anything is done", async () => {
  await using other = startDemo(folder.path, 0)
  const address = /http:\/\/localhost:\d+\//.exec(await readiness(other))?.[0] as string
  expect((await fetch(address)).status).toBe(200)
  const taken = await guichet(["demo"], { TMPDIR: folder.path, GUICHET_PORT: String(port) })
  expect({ ...taken, stderr: taken.stderr.trim().split("\n") }).toMatchObject({
    exitCode: 1,
    stderr: [expect.stringContaining("the port is taken")],
  })
})

test("every source of an answer opens at a section of a page that the demo serves", async () => {
  const { status, sources } = await ask("Comment renvoyer un webhook à la main ?")
  expect(status).toBe("answered")
  expect(sources.length).toBeGreaterThan(0)
  for (const { url } of sources) {
    const page = await fetch(url)
    expect(page.status).toBe(200)
    const { hash } = new URL(url)
    if (hash) expect(await page.text()).toContain(`id="${decodeURIComponent(hash.slice(1))}"`)
  }
})

const steps = async () => (await fetch(`${site}/docs/steps.json`)).json()

test("its link opens the console signed in, where a week of questions and messages stands; any other link does not", async () => {
  const console = await fetch(`${site}/console`, { redirect: "manual" })
  expect(console.headers.get("location")).toStartWith("/console/sign-in")
  const link = /\S+\/docs\/console\/\S+/.exec(said)?.[0] as string
  const wrong = await fetch(`${link.slice(0, -1)}_`, { redirect: "manual" })
  expect([wrong.headers.get("set-cookie"), (await steps()).opened]).toEqual([null, false])
  const opened = await fetch(link, { redirect: "manual" })
  const cookie = opened.headers.get("set-cookie")?.split(";")[0] as string
  const home = new URL(opened.headers.get("location") as string, site)
  const read = async (path: string) => (await fetch(`${home}${path}`, { headers: { cookie } })).text()
  expect(await read("")).toContain("Application de l’accueil (en panne, pour l’exemple)")
  expect(await read("/questions/gaps")).toContain("Quels sont vos tarifs")
  const messages = await read("/messages")
  for (const name of ["Camille Martin", "Lina Faure"]) expect(messages).toContain(name)
  expect(await read("/messages?state=held")).toContain("Robin Colin")
  await ask("Qui a peint la Joconde ?")
  expect(await steps()).toMatchObject({ asked: true, opened: true })
})

test("the bar of its pages has three steps, and the console's is its link for this machine alone", async () => {
  const page = await (await fetch(`${site}/`)).text()
  expect(page.match(/<li data-step="\w+"/g)).toEqual([
    '<li data-step="asked"',
    '<li data-step="sent"',
    '<li data-step="opened"',
  ])
  const link = /\/docs\/console\/\S+/.exec(said)?.[0] as string
  expect(page).toContain(`href="${link}" target="_blank"`)
  const elsewhere = await fetch(`${site}/docs/`, { headers: { host: "guichet.exemple.fr" } })
  expect(await elsewhere.text()).not.toContain("/docs/console/")
  expect(JSON.stringify(await steps())).not.toContain("/docs/console/")
  const script = await fetch(`${site}/docs/steps.js`)
  expect([script.status, script.headers.get("content-type")]).toEqual([200, "text/javascript; charset=utf-8"])
})

test("its pages have an icon, and the widget their colour and questions to begin with", async () => {
  const page = await (await fetch(`${site}/`)).text()
  const icon = /<link rel="icon" href="([^"]+)"/.exec(page)?.[1] as string
  expect((await fetch(new URL(icon, site))).headers.get("content-type")).toStartWith("image/svg+xml")
  const project = /"project":"(\w+)"/.exec(said)?.[1]
  const widget = await fetch(`${site}/api/v1/projects/${project}/widget`, { headers: { origin: site } })
  const { color, suggestions } = (await widget.json()) as { color: string; suggestions: string[] }
  expect(await (await fetch(`${site}/docs/demo.css`)).text()).toContain(color)
  expect(suggestions).toHaveLength(3)
  for (const question of suggestions) expect(await ask(question)).toMatchObject({ status: "answered" })
})

test("a question foreign to the documentation is not answered", async () => {
  expect(await ask("Qui a peint la Joconde ?")).toMatchObject({ status: "no_answer", sources: [] })
})

test("its page holds the widget, the form helper and a form that can be posted", async () => {
  const page = await (await fetch(`${site}/`)).text()
  expect(page).toContain("<h1>Découvrir Guichet</h1>")
  for (const script of ["/widget.js", `${site}/form.js`]) {
    expect(page).toContain(`<script src="${script}"`)
    expect((await fetch(new URL(script, site))).headers.get("content-type")).toStartWith("text/javascript")
  }
  const action = /action="([^"]+\/f\/[^"]+)"/.exec(page)?.[1] as string
  const reply = await fetch(action, {
    method: "POST",
    headers: { origin: site, accept: "application/json" },
    body: new URLSearchParams({
      nom: "Camille",
      email: "camille@exemple.fr",
      sujet: "idee",
      message: "Bonjour",
    }),
  })
  expect(reply.status).toBe(201)
  expect((await steps()).sent).toBe(true)
})

test("a message that was held as too fast is told on the terminal", async () => {
  const page = await (await fetch(`${site}/`)).text()
  const action = /action="([^"]+\/f\/[^"]+)"/.exec(page)?.[1] as string
  const { started } = (await (await fetch(`${action}/start`, { headers: { origin: site } })).json()) as {
    started: string
  }
  const texts = { nom: "Vite", email: "vite@exemple.fr", sujet: "idee", message: "Bonjour" }
  const reply = await fetch(action, {
    method: "POST",
    headers: { origin: site, accept: "application/json" },
    body: new URLSearchParams({ ...texts, guichet_started: started }),
  })
  expect(reply.status).toBe(201)
  expect(await printed(/a message was held: [\s\S]*\?state=held/)).toContain("faster than a person")
})

test("its test receiver has got what was sent by the form, with the right signature", async () => {
  const [, token = ""] = /Bearer (\w+)/.exec(said) ?? []
  const read = async (path: string) => {
    const reply = await fetch(`${site}/api/v1/endpoints${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    return ((await reply.json()) as { items: Record<string, unknown>[] }).items
  }
  const receivers = (await read("")).filter(({ kind }) => kind === "test")
  expect(receivers).toMatchObject([{ active: true }])
  const isOwn = ({ body }: Record<string, unknown>) => JSON.parse(String(body)).data.values.nom === "Camille"
  const request = await eventually(async () => (await read(`/${receivers[0]?.["id"]}/requests`)).find(isOwn))
  expect(request).toMatchObject({ signature: "right", answer: "ok" })
})

test("a visitor may write from the widget, by the same form", async () => {
  const project = /"project":"(\w+)"/.exec(said)?.[1]
  const contact = await fetch(`${site}/api/v1/projects/${project}/contact`, { headers: { origin: site } })
  const { form, field } = (await contact.json()) as { form: string; field: string }
  expect(await (await fetch(`${site}/`)).text()).toContain(`/f/${form}"`)
  expect(field).toBe("message")
})

test("what comes by its form is forwarded by the command that it prints, typed where it was started", async () => {
  let received = ""
  await using application = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      received = await request.text()
      return new Response(null, { status: 204 })
    },
  })
  const [printed = ""] = /GUICHET_TOKEN=.*/.exec(said) ?? []
  expect(printed).toContain(`--url ${site} --to http://localhost:4000`)
  const typed = printed.replace("http://localhost:4000", application.url.href)
  await using listening = Bun.spawn(["sh", "-c", `export ${typed.replace(" ", "; exec ")}`], {
    env: { PATH: process.env["PATH"] ?? "" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  })
  await textWith(listening.stderr, "listening to")
  const page = await (await fetch(`${site}/`)).text()
  await fetch(/action="([^"]+\/f\/[^"]+)"/.exec(page)?.[1] as string, {
    method: "POST",
    headers: { origin: site, accept: "application/json" },
    body: new URLSearchParams({ nom: "Zoé", email: "zoe@exemple.fr", sujet: "idee", message: "Bonsoir" }),
  })
  await textWith(listening.stdout, "→ 204")
  expect(JSON.parse(received).data.values).toMatchObject({ nom: "Zoé", message: "Bonsoir" })
})

test.each(["SIGHUP", "SIGINT"] as const)(
  "ended by %s before it is ready, it leaves nothing behind",
  async (signal) => {
    using own = temporaryFolder()
    await using early = startDemo(own.path, 0)
    while (readdirSync(own.path).length === 0) await Bun.sleep(5)
    early.kill(signal)
    await early.exited
    expect(readdirSync(own.path)).toEqual([])
  },
)

test("it leaves nothing behind when the terminal it was started from is closed", async () => {
  using own = temporaryFolder()
  await using other = startDemo(own.path, 0)
  await readiness(other)
  other.kill("SIGHUP")
  expect(await other.exited).toBe(0)
  expect(readdirSync(own.path)).toEqual([])
})

test("stopped, it leaves nothing behind", async () => {
  demo.kill("SIGTERM")
  expect(await demo.exited).toBe(0)
  expect(existsSync(folder.path) && readdirSync(folder.path)).toEqual([])
})
