import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { connect } from "node:net"
import { applyProjectChange } from "../../../src/accounts/project.ts"
import { answerable, type Site } from "../../support/ask.ts"
import { aService } from "../../support/service-builder.ts"

// Specification, part 5 A: the `Origin` header is required, and is one of the project's addresses, exactly.

let site: Site
beforeAll(async () => {
  site = await aService()
    .withSettings({ GUICHET_ASK_PER_MINUTE: "1000" })
    .withIndexedProject({
      site: "https://Site.fr/docs",
      origins: ["https://aide.site.fr:8443", "http://localhost:5173", "https://bücher.example"],
    })
    .started()
})
afterAll(() => site[Symbol.asyncDispose]())

const refusal = {
  status: 403,
  error: {
    code: "origin_not_allowed",
    message: "Cette page ne fait pas partie des sites déclarés pour ce projet.",
  },
}

test.each([
  ["the site's own, whatever its path", "https://site.fr"],
  ["another declared one, with its port", "https://aide.site.fr:8443"],
  ["a declared one of a developer's machine", "http://localhost:5173"],
  ["a declared one with accents, as browsers send it", "https://xn--bcher-kva.example"],
])("%s is allowed", async (_, origin) => {
  expect((await site.ask({}, { origin })).status).toBe(200)
})

describe("refused:", () => {
  test.each([
    ["of a page opened from a file", "null"],
    ["another scheme", "http://site.fr"],
    ["another port", "https://site.fr:8443"],
    ["the default port written out", "https://site.fr:443"],
    ["without the port it was declared with", "https://aide.site.fr"],
    ["a subdomain", "https://www.site.fr"],
    ["a longer name that begins like it", "https://site.fr.evil.com"],
    ["a longer name that ends like it", "https://evilsite.fr"],
    ["a hyphen for the dot", "https://site-fr"],
    ["a trailing dot", "https://site.fr."],
    ["upper case", "https://SITE.FR"],
    ["an upper-case scheme", "HTTPS://site.fr"],
    ["a final slash", "https://site.fr/"],
    ["with a path", "https://site.fr/docs"],
    ["with a query", "https://site.fr?"],
    ["a user name in front", "https://user@site.fr"],
    ["it as the user name of another", "https://site.fr@evil.com"],
    ["it as the user name and password of another", "https://site.fr:443@evil.com"],
    ["a backslash", "https://site.fr\\.evil.com"],
    ["two in one header", "https://site.fr, https://evil.com"],
    ["two separated by a space", "https://site.fr https://evil.com"],
    ["without a scheme", "site.fr"],
    ["accents not written as browsers write them", "https://b%C3%BCcher.example"],
    ["an escaped letter", "https://s%69te.fr"],
    ["a wildcard", "*"],
    ["an empty header", ""],
  ])("%s", async (_, origin) => {
    const { status, body } = await site.ask({}, { origin })
    expect({ status, ...body }).toEqual(refusal)
  })

  test("no header at all, even with a Referer of the site", async () => {
    for (const headers of [{}, { referer: "https://site.fr/docs" }]) {
      const { status, body } = await site.send({
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ project: site.project.id, question: answerable }),
      })
      expect({ status, ...body }).toEqual(refusal)
    }
  })

  test("two headers, one of them right", async () => {
    const body = JSON.stringify({ project: site.project.id, question: answerable })
    for (const origins of [
      ["https://site.fr", "https://evil.com"],
      ["https://evil.com", "https://site.fr"],
    ])
      expect(await rawRequest(site.service.url, origins, body)).toStartWith("HTTP/1.1 403")
  })

  test("an address that was declared and is no longer", async () => {
    await using other = await aService()
      .withIndexedProject({ origins: ["https://vieux.fr"] })
      .started()
    expect((await other.ask({}, { origin: "https://vieux.fr" })).status).toBe(200)
    await applyProjectChange(other.service.app.db, other.project.id, { origins: [] })
    expect((await other.ask({}, { origin: "https://vieux.fr" })).status).toBe(403)
  })
})

test("403 assistant_disabled while the assistant is switched off", async () => {
  await using other = await aService().withIndexedProject({ assistant_enabled: false }).started()
  const { status, body } = await other.ask()
  expect({ status, ...body }).toEqual({
    status: 403,
    error: { code: "assistant_disabled", message: "L’assistant de cette documentation est désactivé." },
  })
  await applyProjectChange(other.service.app.db, other.project.id, { assistant_enabled: true })
  expect((await other.ask()).status).toBe(200)
})

/** `fetch` joins headers of the same name: two of them need a socket. */
function rawRequest(url: string, origins: string[], body: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      const lines = [
        "POST /api/v1/ask HTTP/1.1",
        `Host: ${hostname}`,
        "Connection: close",
        "Content-Type: application/json",
        ...origins.map((origin) => `Origin: ${origin}`),
        `Content-Length: ${Buffer.byteLength(body)}`,
      ]
      socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`)
    })
    let text = ""
    socket.on("data", (data) => {
      text += data
    })
    socket.on("close", () => resolve(text))
    socket.on("error", reject)
  })
}
