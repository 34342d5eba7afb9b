import { afterAll, beforeAll, expect, test } from "bun:test"
import { accessesOf, areas } from "../../../src/operations/scope.ts"
import { type Api, apiOf } from "../../support/api.ts"
import { type ConsoleClient, signedIn } from "../../support/operator.ts"
import { formIn } from "../../support/page-form.ts"
import type { Service } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

const path = "/console/settings/tokens"
let service: Service
let client: ConsoleClient
let api: Api
let form: string

beforeAll(async () => {
  service = await aService().started()
  client = await signedIn(service)
  api = await apiOf(service)
  const project = (await api.post("/api/v1/projects", { name: "Docs", site: "https://docs.fr" })).body.id
  const fields = [{ name: "nom", label: "Nom", type: "text" }]
  form = (await api.post("/api/v1/forms", { project, name: "Contact", fields })).body.id
})
afterAll(() => service[Symbol.asyncDispose]())

/** The code of each tab of the page that shows a new token. */
async function codesOf(rights: Record<string, string>): Promise<Record<string, string>> {
  const { status, text } = await client.post(path, { name: "essai", ...rights })
  expect(status).toBe(200)
  const shown = text.matchAll(/<figcaption>([^<]*)<\/figcaption><pre><code>([^<]*)<\/code>/g)
  return Object.fromEntries([...shown].map(([, name, code = ""]) => [name, unescaped(code)]))
}

function unescaped(html: string): string {
  return html.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&amp;", "&")
}

test("a new token is shown with code in four languages that reads what its rights open", async () => {
  const cases: [rights: Record<string, string>, call: string][] = [
    [{ forms: "read" }, `/api/v1/forms/${form}/responses`],
    [{ messages: "read" }, "/api/v1/messages?after=0"],
    [{ endpoints: "write" }, "/api/v1/endpoints"],
    [{ projects: "read" }, "/api/v1/projects"],
    [{ workspace: "read" }, "/api/v1/workspaces"],
  ]
  for (const [rights, call] of cases) {
    const { Jeton: token = "", "guichet listen": listen, ...codes } = await codesOf(rights)
    expect(listen).toBe(
      "messages" in rights
        ? `GUICHET_TOKEN='${token}' guichet listen --url ${service.app.config.publicUrl} --to http://localhost:4000\n`
        : undefined,
    )
    expect(Object.keys(codes)).toEqual(["JavaScript", "Python", "PHP", "curl"])
    for (const code of Object.values(codes)) {
      expect(code).toContain(token)
      expect(code).toContain(`${service.app.config.publicUrl}${call}`)
    }
    const reply = await fetch(`${service.url}${call}`, { headers: { authorization: `Bearer ${token}` } })
    expect([rights, reply.status, (await reply.json()).items]).toEqual([rights, 200, expect.any(Array)])
  }
})

for (const [language, command] of [
  ["JavaScript", [process.execPath, "-e"]],
  ["Python", ["python3", "-c"]],
  ["PHP", ["php", "-r"]],
  ["curl", ["sh", "-c"]],
] as const)
  test.skipIf(Bun.which(command[0]) === null || Bun.which("curl") === null)(
    `the code in ${language} runs as it is shown`,
    async () => {
      const code = (await codesOf({ projects: "read" }))[language] as string
      const local = code.replaceAll(service.app.config.publicUrl, service.url).replace("<?php", "")
      const run = Bun.spawn([...command, local], { stdout: "pipe", stderr: "ignore" })
      expect(await new Response(run.stdout).text()).toContain("https://docs.fr")
    },
  )

test("each right is offered as far as it opens something, and no further", async () => {
  const { text } = await client.get(path)
  for (const area of areas) {
    const [, options = ""] = new RegExp(`<select[^>]* name="${area}".*?>(.*?)</select>`, "s").exec(text) ?? []
    const offered = [...options.matchAll(/value="(\w+)"/g)].map(([, access]) => access)
    expect([area, ...offered]).toEqual([area, "none", ...accessesOf(area)])
  }
  const name = "écrire des messages"
  const refused = await client.post(path, { ...formIn(text, path), name, messages: "write" })
  expect([refused.status, refused.text.includes("au moins un droit")]).toEqual([400, true])
})

test("a token that may do all there is has every right, those of later versions included", async () => {
  const most = Object.fromEntries(areas.map((area) => [area, accessesOf(area).at(-1) as string]))
  await codesOf({ ...most, name: "tout" })
  const { items } = (await api.get("/api/v1/tokens")).body
  expect(items[0]).toMatchObject({ name: "tout", scopes: ["all"] })
})
