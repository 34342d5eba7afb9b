import { afterAll, beforeAll, expect, test } from "bun:test"
import type { Service } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

// Whose form an expired link belonged to is not known any more: the page speaks the reader's language.

let service: Service
beforeAll(async () => {
  service = await aService().started()
})
afterAll(() => service[Symbol.asyncDispose]())

test.each(["/consent/perdu", "/notice/perdu", "/files/perdu/devis.pdf"])("%s", async (path) => {
  const read = async (language: string) => {
    const headers = { accept: "text/html", "accept-language": language }
    const reply = await fetch(`${service.url}${path}`, { headers })
    return { reply, text: await reply.text() }
  }
  for (const [language, lang, title] of [
    ["en-GB,en;q=0.9,fr;q=0.5", "en", "Link expired"],
    ["fr-CA,fr;q=0.9,en;q=0.8", "fr", "Lien expiré"],
    ["de", "fr", "Lien expiré"],
  ] as const) {
    const { reply, text } = await read(language)
    expect([reply.status, reply.headers.get("vary")]).toEqual([
      404,
      expect.stringContaining("accept-language"),
    ])
    expect(text).toContain(`<html lang="${lang}">`)
    expect(text).toContain(`<h1>${title}</h1>`)
    // The browser asks for no icon that the policy forbids.
    expect(text).toContain('<link rel="icon" href="data:,"/>')
    expect(reply.headers.get("content-security-policy")).toContain("img-src data:")
  }
})
