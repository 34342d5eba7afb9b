import { afterAll, beforeAll, expect, test } from "bun:test"
import { createToken } from "../../src/accounts/token.ts"
import { apiOf } from "../support/api.ts"
import { sendRaw } from "../support/raw-request.ts"
import type { Service } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

let service: Service

beforeAll(async () => {
  service = await aService().started()
})
afterAll(() => service[Symbol.asyncDispose]())

const head = (line: string, host = "localhost") =>
  Buffer.from(`${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)

test("a Host longer than any name is refused, however it is written", async () => {
  for (const host of ["a.".repeat(4000), `xn--${"a9".repeat(4000)}.fr`, "1".repeat(8000)])
    expect(await sendRaw(service.url, head("GET /console", host))).toBe(400)
})

test("who asks the management API for English is told in English, and visitors' routes stay French", async () => {
  const api = await apiOf(service)
  const { text } = await createToken(service.app.db, api.workspaceId, "", service.app.clock.now())
  const told = async (path: string, language: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${text}`, "accept-language": language }
    const reply = await fetch(`${service.url}${path}`, { ...init, headers })
    const { error } = (await reply.json()) as { error: { message: string; fields?: object } }
    return [reply.headers.get("content-language"), error.message, error.fields]
  }
  const body = JSON.stringify({ name: "", site: "ftp://exemple.fr", per_day: 0 })
  const english = [
    "en",
    "This project cannot be saved: correct the fields that are named.",
    {
      name: "The name is empty, longer than 200 characters or not one line.",
      site: "The site is not an http:// or https:// address without query.",
      per_day: "Give a whole number from 1 to 1,000,000,000, or null.",
    },
  ]
  for (const language of ["en", "en-GB,en;q=0.9", "de, en;q=0.5", "fr;q=0.4,en"])
    expect(await told("/api/v1/projects", language, { method: "POST", body })).toEqual(english)
  for (const language of ["", "fr,en;q=0.9", "*", "de", "en;q=0", "nonsense;;q"])
    expect(await told("/api/v1/projects", language, { method: "POST", body })).toEqual([
      "fr",
      expect.stringContaining("corrigez les champs indiqués"),
      expect.anything(),
    ])
  expect(await told("/api/v1/nothing", "en")).toEqual(["en", "There is nothing at this address.", undefined])
  expect(await told("/api/v1/tokens/none", "en")).toEqual(["en", "No token none.", undefined])
  for (const path of ["/api/v1/ask", "/f/none"])
    expect((await told(path, "en", { method: "POST", body }))[0]).toBe("fr")
})
