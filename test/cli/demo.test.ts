import { afterAll, beforeAll, expect, test } from "bun:test"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { guichet } from "../support/cli.ts"
import { freePort } from "../support/port.ts"
import { temporaryFolder } from "../support/service.ts"

/** `guichet demo` as a person runs it: no account, no key, nothing in its folder. */
const folder = temporaryFolder()
const port = await freePort()
const site = `http://localhost:${port}`
let demo: Bun.Subprocess<"ignore", "pipe", "ignore">
let said = ""

beforeAll(async () => {
  demo = Bun.spawn([process.execPath, join(import.meta.dir, "../../src/main.ts"), "demo"], {
    env: { PATH: process.env["PATH"] ?? "", TMPDIR: folder.path, GUICHET_PORT: String(port) },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  })
  const decoder = new TextDecoder()
  for await (const bytes of demo.stdout) {
    said += decoder.decode(bytes)
    if (said.includes("Ctrl-C")) break
  }
}, 30_000)

afterAll(async () => {
  demo.kill("SIGKILL")
  await demo.exited
  folder[Symbol.dispose]()
})

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
  await using other = Bun.spawn([process.execPath, join(import.meta.dir, "../../src/main.ts"), "demo"], {
    env: { PATH: process.env["PATH"] ?? "", TMPDIR: folder.path, GUICHET_PORT: "0" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  })
  const { value } = await other.stdout.getReader().read()
  const address = /http:\/\/localhost:\d+\//.exec(new TextDecoder().decode(value))?.[0] as string
  expect((await fetch(address)).status).toBe(200)
  const taken = await guichet(["demo"], { TMPDIR: folder.path, GUICHET_PORT: String(port) })
  expect({ ...taken, stderr: taken.stderr.trim().split("\n") }).toMatchObject({
    exitCode: 2,
    stderr: [expect.stringContaining("the port is taken")],
  })
}, 30_000)

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

test("a question foreign to the documentation is not answered", async () => {
  expect(await ask("Qui a peint la Joconde ?")).toMatchObject({ status: "no_answer", sources: [] })
})

test("its page holds the widget, the form helper and a form that can be posted", async () => {
  const page = await (await fetch(`${site}/`)).text()
  expect(page).toContain("<h1>Découvrir Guichet</h1>")
  for (const script of ["/widget.js", "/form.js"]) {
    expect(page).toContain(`<script src="${script}"`)
    expect((await fetch(site + script)).headers.get("content-type")).toStartWith("text/javascript")
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
})

test("stopped, it leaves nothing behind", async () => {
  demo.kill("SIGTERM")
  expect(await demo.exited).toBe(0)
  expect(existsSync(folder.path) && readdirSync(folder.path)).toEqual([])
})
