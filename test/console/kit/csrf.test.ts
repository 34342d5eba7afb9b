import { afterAll, beforeAll, expect, test } from "bun:test"
import { listProjects } from "../../../src/accounts/project.ts"
import { signedIn } from "../../support/operator.ts"
import type { Service } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

let service: Service

beforeAll(async () => {
  service = await aService().started()
})
afterAll(() => service[Symbol.asyncDispose]())

const project = { name: "Docs", site: "https://docs.exemple.fr" }
const count = async () => (await listProjects(service.app.db)).length

test("a form of another site changes nothing, whatever it holds", async () => {
  const client = await signedIn(service)
  const before = await count()
  const refused: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: "" },
    { origin: service.url.replace("127.0.0.1", "localhost") },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ]
  for (const headers of refused) {
    const reply = await client.post("/console/projects", project, { headers })
    expect(reply.status).toBe(403)
    expect(reply.text).toContain("rien n’a été changé")
  }
  expect(await count()).toBe(before)
  const own = await client.post("/console/projects", project, {
    headers: { "sec-fetch-site": "same-origin" },
  })
  expect(own.status).toBe(303)
})

test("a form without the token of this very session changes nothing, and what was typed is shown again", async () => {
  const client = await signedIn(service)
  const other = await signedIn(service)
  const foreign = /name="guichet_token" value="([^"]+)"/.exec(
    (await other.get("/console/projects")).text,
  )?.[1]
  const before = await count()
  for (const token of [null, "", "x", foreign as string]) {
    const reply = await client.post("/console/projects", project, { token })
    expect(reply.status).toBe(403)
    expect(reply.text).toContain("envoyez de nouveau.")
    expect(reply.text).toContain(`value="${project.site}"`)
  }
  expect(await count()).toBe(before)
})

test("signing in and making the first account ask for our own origin as well", async () => {
  for (const path of ["/console/sign-in", "/console/setup/x"]) {
    const reply = await fetch(`${service.url}${path}`, {
      method: "POST",
      headers: { origin: "https://evil.example" },
      body: new URLSearchParams({ email: "a@b.fr", password: "x" }),
    })
    expect(reply.status).toBe(403)
  }
})

test("every reply of the console forbids inline script and style, frames and third parties", async () => {
  const client = await signedIn(service)
  const shown = await client.get("/console/projects")
  const style = /href="(\/console\/assets\/[^"]+\.css)"/.exec(shown.text)?.[1] as string
  const replies = [
    shown,
    await client.get("/console/sign-in"),
    await client.get("/console/nowhere"),
    await client.get(style),
    await client.get("/console"),
    await client.post("/console/projects", {}),
    await client.post("/console/persons/export", { email: "camille@exemple.fr" }),
  ]
  for (const { headers } of replies) {
    const policy = headers.get("content-security-policy") ?? ""
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain("unsafe")
    expect(policy).not.toMatch(/https?:|\*/)
    expect(headers.get("x-content-type-options")).toBe("nosniff")
  }
  for (const { text } of replies) {
    expect(text).not.toMatch(/<[^>]+\s(style|on\w+)=/)
    expect(text).not.toMatch(/<(script|link)[^>]+(src|href)="(https?:)?\/\//)
  }
})

test("a body that is no form, or too large, is refused in French", async () => {
  const client = await signedIn(service)
  const reply = await fetch(`${service.url}/console/projects`, {
    method: "POST",
    headers: { origin: service.url, cookie: client.cookie, "content-type": "application/json" },
    body: "{}",
  })
  expect(reply.status).toBe(400)
  expect(await reply.text()).toContain("Ce formulaire est illisible ou trop grand")
  expect((await client.post("/console/projects", { name: "x".repeat(600_000) })).status).toBe(400)
})
