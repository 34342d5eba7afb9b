import { afterAll, beforeAll, expect, test } from "bun:test"
import { apiOf } from "../support/api.ts"
import type { MovableClock } from "../support/clock.ts"
import type { Service } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

// `/uploads/…`: documentation that Guichet serves to whoever has its address, so many times a minute.

let service: Service & { clock: MovableClock }
let address: string

beforeAll(async () => {
  service = await aService().withSettings({ GUICHET_TRUSTED_PROXIES: "127.0.0.1" }).withClock().started()
  const api = await apiOf(service)
  const { body: project } = await api.post("/api/v1/projects", { name: "A", site: "https://a.fr" })
  const { body: feed } = await api.post(`/api/v1/projects/${project.id}/feeds`, { kind: "upload" })
  const { body: sent } = await api.post(`/api/v1/projects/${project.id}/feeds/${feed.id}/uploads`, {
    files: [{ name: "plan.txt", content: Buffer.from("Le plan.").toString("base64") }],
  })
  address = service.url + new URL(sent.items[0].url).pathname
})
afterAll(() => service[Symbol.asyncDispose]())

const from = (visitor: string, init: RequestInit = {}, at = address) =>
  fetch(at, { ...init, headers: { "x-forwarded-for": visitor, ...init.headers } })

test("a visitor downloads 60 files a minute; HEAD, ranges and ids that lead nowhere count; others go on", async () => {
  const nowhere = address.replace(/upl_\w+/, `upl_${"0".repeat(32)}`)
  for (let time = 0; time < 15; time++) {
    const reply = await from("203.0.113.1")
    expect([reply.status, await reply.text()]).toEqual([200, "Le plan."])
    const head = await from("203.0.113.1", { method: "HEAD" })
    expect([head.status, head.headers.get("content-length")]).toEqual([200, "8"])
    const range = await from("203.0.113.1", { headers: { range: "bytes=0-1" } })
    expect([range.status, await range.text()]).toEqual([200, "Le plan."])
    expect((await from("203.0.113.1", {}, nowhere)).status).toBe(404)
  }
  for (const init of [{}, { method: "HEAD" }, { headers: { range: "bytes=0-1" } }]) {
    const { status, headers } = await from("203.0.113.1", init)
    expect([status, headers.get("retry-after")]).toEqual([429, "1"])
  }
  const page = await from("203.0.113.1", { headers: { accept: "text/html" } })
  expect([page.status, page.headers.get("retry-after")]).toEqual([429, "1"])
  expect(await page.text()).toContain("Trop de téléchargements en peu de temps. Réessayez dans un instant.")
  expect((await from("203.0.113.2")).status).toBe(200)
  service.clock.move(1000)
  expect((await from("203.0.113.1")).status).toBe(200)
})

test("one household with many IPv6 addresses is one visitor, and all visitors of a project have 600", async () => {
  service.clock.move(60_000)
  const statuses = async (visitors: string[]) => {
    const replies = await Promise.all(visitors.map((visitor) => from(visitor, { method: "HEAD" })))
    return Object.groupBy(replies, ({ status }) => status)
  }
  const household = Array.from({ length: 61 }, (_, at) => `2001:db8::${(at + 1).toString(16)}`)
  expect((await statuses(household))[429]).toHaveLength(1)
  const crowd = Array.from({ length: 541 }, (_, at) => `198.51.${at >> 8}.${at & 255}`)
  expect((await statuses(crowd))[429]).toHaveLength(1)
})
